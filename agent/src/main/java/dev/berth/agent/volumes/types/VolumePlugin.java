package dev.berth.agent.volumes.types;

import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.volumes.VolumeException;
import dev.berth.agent.volumes.VolumeLocation;
import dev.berth.agent.volumes.payloads.VolumePayloads;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// One type of volume. [VolumePlugins] lists all types; nothing else names one.
///
/// All methods may be called again at any time, also after a restart of the agent. What is below
/// [#root] belongs to containers: a plugin reaches it only through `agent.files`, name by name (ADR
/// 0018).
public interface VolumePlugin {
  /// The field of a volume in the API that says that the volume is of this type.
  String field();

  boolean serves(Volume volume);

  /// The directory or file that containers mount.
  Path root(PodVolume volume);

  /// Makes the volume ready before the pod's first container starts.
  ///
  /// @throws VolumeException when the volume is not ready yet or never can be
  void prepare(PodVolume volume) throws IOException;

  /// Writes what changed at the volume's source since the last time.
  ///
  /// @return whether anything changed
  default boolean refresh(PodVolume volume, VolumePayloads payloads) throws IOException {
    return false;
  }

  /// Whether only the agent writes the volume, whatever a container's mount asks for.
  default boolean isReadOnly() {
    return false;
  }

  /// Whether the volume is the node's own, and outlives the pod: no runtime relabels it.
  default boolean isOfHost() {
    return false;
  }

  /// Where the volume is on the node; empty for a volume that outlives its pod.
  default Optional<VolumeLocation> location(PodVolume volume) {
    return Optional.empty();
  }

  /// What the volume occupies of the node's disk and counts against the pod.
  default DiskUsage measure(PodVolume volume) {
    return DiskUsage.NONE;
  }

  /// Why the pod must end because the volume is too large; empty when the volume keeps its limit.
  default Optional<String> excess(PodVolume volume) {
    return Optional.empty();
  }

  /// Forgets what the plugin keeps in memory about a pod; its directories are removed for all types
  /// at once.
  default void remove(Pod pod) {}
}
