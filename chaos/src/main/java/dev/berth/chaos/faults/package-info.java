/// Which faults there are, in which order a seed deals them, and when the system is calm.
@NullMarked
package dev.berth.chaos.faults;

import org.jspecify.annotations.NullMarked;
