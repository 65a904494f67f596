/// Well-behaved clients that record the answers of the system.
@NullMarked
package dev.berth.chaos.load;

import org.jspecify.annotations.NullMarked;
