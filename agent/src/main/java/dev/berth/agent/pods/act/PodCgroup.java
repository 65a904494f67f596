package dev.berth.agent.pods.act;

import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.pods.config.CgroupSettings;
import dev.berth.agent.pods.config.linux.LinuxResources;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;

/// The control group of a pod, with what its specification and its overhead allow it.
public record PodCgroup(CgroupSettings settings, PodCgroups cgroups) {
  /// Makes it, or gives it what the pod may use now.
  void set(Pod pod) throws IOException {
    cgroups.set(settings.path(pod), LinuxResources.ofPod(pod));
  }

  /// Makes room for containers that are about to get more; nothing is taken away yet.
  void raise(Pod pod) throws IOException {
    cgroups.raise(settings.path(pod), LinuxResources.ofPod(pod));
  }
}
