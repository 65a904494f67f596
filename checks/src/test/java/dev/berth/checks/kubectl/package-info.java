/// End-to-end tests: the real kubectl.
@NullMarked
package dev.berth.checks.kubectl;

import org.jspecify.annotations.NullMarked;
