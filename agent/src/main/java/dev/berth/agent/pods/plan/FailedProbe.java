package dev.berth.agent.pods.plan;

import dev.berth.agent.probes.ProbeWorkers.Verdict;
import dev.berth.api.pods.ContainerView;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Probe;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The probe whose failure ends a container.
///
/// @param word the type of the probe, for events
record FailedProbe(String word, @Nullable Probe probe) {
  /// Liveness probes run only after the startup probe succeeded.
  static FailedProbe of(Container container, Verdict verdict) {
    return verdict.started()
        ? new FailedProbe("liveness", container.getLivenessProbe())
        : new FailedProbe("startup", container.getStartupProbe());
  }

  /// The grace period: the probe's own unless the pod is being deleted.
  Duration grace(Pod pod) {
    Long own = probe == null ? null : probe.getTerminationGracePeriodSeconds();
    return own == null || pod.getMetadata().getDeletionGracePeriodSeconds() != null
        ? ContainerRules.grace(pod)
        : Duration.ofSeconds(own);
  }

  String why(Pod pod, Container container) {
    boolean again =
        ContainerView.isSidecar(container) || !ContainerRules.restartPolicy(pod).equals("Never");
    return "Container %s failed %s probe%s"
        .formatted(container.getName(), word, again ? ", will be restarted" : "");
  }
}
