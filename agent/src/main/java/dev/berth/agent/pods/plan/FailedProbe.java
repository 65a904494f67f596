package dev.berth.agent.pods.plan;

import dev.berth.agent.probes.ProbeWorkers.Verdict;
import dev.berth.api.pods.ContainerView;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Probe;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The probe because of which a container has to go.
///
/// @param word what it is for, as events say it
record FailedProbe(String word, @Nullable Probe probe) {
  /// A container is probed for its life only when it was found started.
  static FailedProbe of(Container container, Verdict verdict) {
    return verdict.started()
        ? new FailedProbe("liveness", container.getLivenessProbe())
        : new FailedProbe("startup", container.getStartupProbe());
  }

  /// The probe may say how long its container gets, unless the pod is about to end anyway.
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
