/// The life of pods on this node: one worker per pod brings what its runtime service has of it
/// nearer to what the API wants, and tells the API what there is.
///
/// Start with [dev.berth.agent.pods.PodAgent], the entry, then `PodWorker`: it observes
/// (`observed`), decides (`plan`), acts (`act`) and tells (`status`).
@NullMarked
package dev.berth.agent.pods;

import org.jspecify.annotations.NullMarked;
