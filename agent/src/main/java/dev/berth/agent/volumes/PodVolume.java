package dev.berth.agent.volumes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;

/// A volume of one pod.
record PodVolume(Pod pod, Volume volume) {
  String name() {
    return volume.getName();
  }
}
