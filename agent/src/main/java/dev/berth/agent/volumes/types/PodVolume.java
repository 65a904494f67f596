package dev.berth.agent.volumes.types;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;

/// A volume of one pod.
public record PodVolume(Pod pod, Volume volume) {
  public String name() {
    return volume.getName();
  }
}
