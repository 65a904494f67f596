/// What the agent counts about pods, by the names of the kubelet.
///
/// Start with [dev.berth.agent.pods.metrics.PodMetrics].
@NullMarked
package dev.berth.agent.pods.metrics;

import org.jspecify.annotations.NullMarked;
