/// End-to-end tests: processes that die.
@NullMarked
package dev.berth.checks.faults;

import org.jspecify.annotations.NullMarked;
