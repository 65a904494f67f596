/// What runtime services have of pods, kept true by events or lists, one thread per service.
///
/// Start with [dev.berth.agent.pods.observed.ServiceView], which answers what is known, and
/// [dev.berth.agent.pods.observed.ServiceObserver], which fills it. A service that does not answer
/// makes its pods unknown, never empty.
@NullMarked
package dev.berth.agent.pods.observed;

import org.jspecify.annotations.NullMarked;
