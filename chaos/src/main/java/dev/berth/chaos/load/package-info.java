/// Clients that use the system as good clients do, and record what they were answered.
@NullMarked
package dev.berth.chaos.load;

import org.jspecify.annotations.NullMarked;
