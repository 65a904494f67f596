package dev.berth.agent.pods.worker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.events.PodEvents;
import dev.berth.agent.pods.act.PodCleanup;
import dev.berth.agent.pods.act.StepRunner;
import dev.berth.agent.pods.act.TerminationMessage;
import dev.berth.agent.pods.admission.RejectionDelay;
import dev.berth.agent.pods.admission.ServiceResolver;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.pods.metrics.PodMetrics;
import dev.berth.agent.pods.references.PodJson;
import dev.berth.agent.pods.status.StatusWriter;
import dev.berth.agent.probes.ProbeWorkers;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.api.pods.PodSource;
import dev.berth.client.Backoff;
import dev.berth.client.DelayedActions;
import dev.berth.client.ResourceClient;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.InstantSource;

/// What the workers of all pods share.
public record WorkerDependencies(
    NodeSettings node,
    PlatformConfig platform,
    RuntimeServices runtimes,
    ServiceResolver resolver,
    ServiceObservers observers,
    StepRunner runner,
    TerminationMessage terminationMessage,
    PodCleanup remains,
    ProbeWorkers probes,
    PodEvents events,
    ResourceClient<ObjectNode> pods,
    Backoff backoff,
    DelayedActions delays,
    InstantSource clock,
    PodMetrics metrics,
    RejectionDelay rejections) {
  /// @param settled called when the status is written or given up; must not block
  StatusWriter writer(Pod pod, Runnable settled) {
    return new StatusWriter(
        pods,
        PodJson.key(pod),
        PodSource.isStatic(pod) ? "" : pod.getMetadata().getUid(),
        PodJson.status(pod),
        delays,
        backoff,
        new StatusWriter.Listener() {
          @Override
          public void settled() {
            settled.run();
          }

          @Override
          public void refused(String why) {
            events.warning(pod, "", "FailedStatusUpdate", refusedStatus(why));
          }
        });
  }

  private static String refusedStatus(String why) {
    return "the API server refused the pod's status: %s. The pod keeps running and can be deleted; the agent sends the status again with back-off, at most every %d s. Compare the versions of the API server and of the agent, and look for an admission webhook that changes pods/status"
        .formatted(why, StatusWriter.LONGEST_REFUSED.toSeconds());
  }
}
