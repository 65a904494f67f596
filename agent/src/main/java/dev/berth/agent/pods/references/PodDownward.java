package dev.berth.agent.pods.references;

import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PodFields;
import dev.berth.agent.volumes.VolumeException;
import dev.berth.agent.volumes.payloads.DownwardValues;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import java.util.List;
import java.util.function.Supplier;

/// Fields and resources for downward API volumes, by the rules of environment variables.
public final class PodDownward implements DownwardValues {
  private final PodFields fields;

  public PodDownward(NodeSettings node) {
    // No addresses: a volume is prepared before the sandbox has one.
    this.fields = new PodFields(node, List.of());
  }

  @Override
  public String field(Pod pod, String path) {
    return read(() -> fields.field(pod, path));
  }

  @Override
  public String resource(Pod pod, ResourceFieldSelector selector) {
    return read(() -> fields.resource(pod, pod.getSpec().getContainers().getFirst(), selector));
  }

  private static String read(Supplier<String> value) {
    try {
      return value.get();
    } catch (ConfigException e) {
      throw new VolumeException(String.valueOf(e.getMessage()));
    }
  }
}
