package dev.berth.agent.pods.worker;

import dev.berth.agent.pods.references.PodJson;
import dev.berth.agent.pods.status.StatusWriter;
import dev.berth.api.pods.PodSource;
import io.fabric8.kubernetes.api.model.Pod;

/// What the workers of all pods share.
public record WorkerDependencies(
    WorkerInputs inputs, WorkerOutputs outputs, WorkerActions actions, WorkerTiming timing) {
  /// @param settled called when the status is written or given up; must not block
  StatusWriter writer(Pod pod, Runnable settled) {
    return new StatusWriter(
        outputs.pods(),
        PodJson.key(pod),
        PodSource.isStatic(pod) ? "" : pod.getMetadata().getUid(),
        PodJson.status(pod),
        timing.delays(),
        timing.backoff(),
        new StatusWriter.Listener() {
          @Override
          public void settled() {
            settled.run();
          }

          @Override
          public void refused(String why) {
            outputs.events().warning(pod, "", "FailedStatusUpdate", refusedStatus(why));
          }
        });
  }

  private static String refusedStatus(String why) {
    return "the API server refused the pod's status: %s. The pod keeps running and can be deleted; the agent sends the status again with back-off, at most every %d s. Compare the versions of the API server and of the agent, and look for an admission webhook that changes pods/status"
        .formatted(why, StatusWriter.LONGEST_REFUSED.toSeconds());
  }
}
