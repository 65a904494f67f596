@NullMarked
package dev.berth.server.admission.images;

import org.jspecify.annotations.NullMarked;
