package dev.berth.agent.volumes;

import dev.berth.api.Problem;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;

/// For an agent without volumes: only pods without volumes start.
public final class NoVolumes implements PodVolumes {
  @Override
  public void prepare(Pod pod) {
    if (!pod.getSpec().getVolumes().isEmpty()) {
      throw new VolumeException(
          new Problem(
              "pod %s/%s cannot start"
                  .formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName()),
              "it has volumes, and this agent serves none",
              ""));
    }
  }

  @Override
  public List<VolumeMounting> mounts(Pod pod, Container container) {
    return List.of();
  }

  @Override
  public void remove(Pod pod) {}
}
