package dev.berth.agent.pods.act;

import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.pods.config.CgroupSettings;
import dev.berth.agent.pods.config.linux.LinuxResources;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;

/// The control group of a pod, with the limits of its specification and overhead.
public record PodCgroup(CgroupSettings settings, PodCgroups cgroups) {
  /// Creates the group, or sets its limits.
  void set(Pod pod) throws IOException {
    cgroups.set(settings.path(pod), LinuxResources.ofPod(pod));
  }

  /// Raises limits before containers grow; lowers none.
  void raise(Pod pod) throws IOException {
    cgroups.raise(settings.path(pod), LinuxResources.ofPod(pod));
  }
}
