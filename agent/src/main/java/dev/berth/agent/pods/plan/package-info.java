/// Decides what is to be done about a pod; pure, nothing here calls anybody.
///
/// Start with [dev.berth.agent.pods.plan.PodPlan]: from what is wanted and what is there to the
/// steps that bring the one nearer to the other.
@NullMarked
package dev.berth.agent.pods.plan;

import org.jspecify.annotations.NullMarked;
