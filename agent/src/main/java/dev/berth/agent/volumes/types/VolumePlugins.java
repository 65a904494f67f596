package dev.berth.agent.volumes.types;

import dev.berth.agent.volumes.VolumeException;
import dev.berth.agent.volumes.mounts.AgentMounts;
import dev.berth.agent.volumes.payloads.VolumePayloads;
import dev.berth.api.Problem;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/// The types of volumes that the agent serves. A new type is a line in [#of].
public record VolumePlugins(List<VolumePlugin> all) {
  public VolumePlugins {
    all = List.copyOf(all);
  }

  /// One plugin for each volume type that the agent provides.
  ///
  /// @param memory the most memory, in bytes, that a pod may use; zero when unknown
  public static VolumePlugins of(
      VolumeDirectories directories,
      AgentMounts mounts,
      VolumePayloads payloads,
      ToLongFunction<Pod> memory) {
    return new VolumePlugins(
        List.of(
            new EmptyDirPlugin(directories, mounts, memory),
            new HostPathPlugin(),
            new ConfigMapPlugin(directories, payloads),
            new SecretPlugin(directories, payloads),
            new DownwardApiPlugin(directories, payloads),
            new ProjectedPlugin(directories, payloads)));
  }

  /// The plugin of a volume; empty for a type that is not served.
  public Optional<VolumePlugin> find(PodVolume volume) {
    return all.stream().filter(plugin -> plugin.serves(volume.volume())).findFirst();
  }

  /// The plugin of a volume.
  ///
  /// @throws VolumeException for a type that is not served
  public VolumePlugin require(PodVolume volume) {
    return find(volume)
        .orElseThrow(
            () ->
                new VolumeException(
                    new Problem(
                        "volume \"%s\" of pod %s/%s cannot be mounted"
                            .formatted(
                                volume.name(),
                                volume.pod().getMetadata().getNamespace(),
                                volume.pod().getMetadata().getName()),
                        "the agent does not serve volumes of its type",
                        "Use one of "
                            + all.stream()
                                .map(VolumePlugin::field)
                                .collect(Collectors.joining(", ")))));
  }
}
