/// The faults, their seeded order, and the calm periods between them.
@NullMarked
package dev.berth.chaos.faults;

import org.jspecify.annotations.NullMarked;
