package dev.berth.agent.pods.act;

import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.pods.config.CgroupSettings;
import dev.berth.agent.pods.config.linux.LinuxResources;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.Set;

/// The control group of a pod, with the limits of its specification and overhead.
public record PodCgroup(CgroupSettings settings, PodCgroups cgroups) {
  /// Creates the group, or sets its limits.
  void set(Pod pod) throws IOException {
    cgroups.set(settings.path(pod), LinuxResources.ofPod(pod));
  }

  /// Kills the processes in the group of a pod.
  ///
  /// @return their ids
  Set<Long> kill(String podUid) throws IOException {
    return cgroups.kill(podUid);
  }

  /// Raises limits before containers grow; lowers none.
  void raise(Pod pod) throws IOException {
    cgroups.raise(settings.path(pod), LinuxResources.ofPod(pod));
  }
}
