@NullMarked
package dev.berth.registry.credentials;

import org.jspecify.annotations.NullMarked;
