/// What was acknowledged and observed, and the rules that it must obey.
@NullMarked
package dev.berth.chaos.history;

import org.jspecify.annotations.NullMarked;
