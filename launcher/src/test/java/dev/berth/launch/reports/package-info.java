@NullMarked
package dev.berth.launch.reports;

import org.jspecify.annotations.NullMarked;
