/// One worker per pod, which brings what its runtime service has of it to the desired state and
/// reports its status to the API server; and the search for pods that nobody wants.
///
/// Start with [dev.berth.agent.pods.worker.PodWorker], the thread of a pod. Its `PodSync` observes
/// (`observed`), decides (`plan`), acts (`act`) and reports (`status`).
@NullMarked
package dev.berth.agent.pods.worker;

import org.jspecify.annotations.NullMarked;
