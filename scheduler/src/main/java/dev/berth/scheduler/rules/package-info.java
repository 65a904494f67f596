/// Which rules there are, as upstream's metrics call them, and how often and how long each is
/// asked.
///
/// Uses nothing. Start with [dev.berth.scheduler.rules.RuleClock].
@NullMarked
package dev.berth.scheduler.rules;

import org.jspecify.annotations.NullMarked;
