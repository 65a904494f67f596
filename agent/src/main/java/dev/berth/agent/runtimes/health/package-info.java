/// What a runtime service offers and how it is, kept up to date.
///
/// `HealthRules` decides, from values to a value; [dev.berth.agent.runtimes.health.ServiceMonitor]
/// acts: one virtual thread per service, and one more while a probe is under way, so that a sick
/// service costs nobody else anything. Start with [dev.berth.agent.runtimes.health.ServiceHealth].
@NullMarked
package dev.berth.agent.runtimes.health;

import org.jspecify.annotations.NullMarked;
