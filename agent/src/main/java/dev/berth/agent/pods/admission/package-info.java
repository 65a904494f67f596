/// Whether the node takes a pod, and which runtime service the pod gets.
///
/// Start with [dev.berth.agent.pods.admission.ServiceResolver].
@NullMarked
package dev.berth.agent.pods.admission;

import org.jspecify.annotations.NullMarked;
