package dev.berth.agent.volumes.types;

import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.files.VolumeTrees;
import dev.berth.agent.volumes.VolumeException;
import dev.berth.agent.volumes.VolumeLocation;
import dev.berth.agent.volumes.mounts.AgentMounts;
import dev.berth.agent.volumes.payloads.VolumeOwner;
import dev.berth.api.Problem;
import dev.berth.api.Quantity;
import io.fabric8.kubernetes.api.model.EmptyDirVolumeSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/// Directories that are empty when their pod starts and are removed with it, on the disk or in
/// memory.
final class EmptyDirPlugin implements VolumePlugin {
  private final VolumeDirectories directories;
  private final AgentMounts mounts;
  private final ToLongFunction<Pod> memory;

  /// @param memory the most memory, in bytes, that a pod may use; zero when unknown
  EmptyDirPlugin(VolumeDirectories directories, AgentMounts mounts, ToLongFunction<Pod> memory) {
    this.directories = directories;
    this.mounts = mounts;
    this.memory = memory;
  }

  @Override
  public String field() {
    return "emptyDir";
  }

  @Override
  public boolean serves(Volume volume) {
    return volume.getEmptyDir() != null;
  }

  @Override
  public Path root(PodVolume volume) {
    return directories.onDisk(volume.pod(), "kubernetes.io~empty-dir", volume.name());
  }

  /// A directory that exists keeps what its pod made of it. A file system in memory is mounted
  /// again after the machine was restarted.
  @Override
  public void prepare(PodVolume volume) throws IOException {
    Pod pod = volume.pod();
    EmptyDirVolumeSource source = volume.volume().getEmptyDir();
    Path directory = root(volume);
    boolean wasThere = Files.exists(directory);
    Files.createDirectories(directory);
    String medium = Objects.requireNonNullElse(source.getMedium(), "");
    boolean isNew =
        switch (medium) {
          case "" -> !wasThere;
          case "Memory" -> mounts.memory(directory, size(pod, source)) || !wasThere;
          case String other when HugePages.isMedium(other) ->
              mounts.hugePages(directory, HugePages.size(pod, other)) || !wasThere;
          default ->
              throw new VolumeException(
                  new Problem(
                      "emptyDir medium \"%s\" is not supported".formatted(medium),
                      "",
                      "Use \"\" (the node's disk), Memory or HugePages"));
        };
    if (isNew) {
      try (DirectoryHandle handle = DirectoryHandle.openPlain(directory)) {
        handle.self().setMode(0777);
        VolumeOwner.of(pod).takeDirectory(handle);
      }
    }
  }

  /// The kernel charges files in memory to the pod's control group, so the pod's limit bounds the
  /// volume, too.
  private long size(Pod pod, EmptyDirVolumeSource source) {
    return LongStream.of(limit(source), memory.applyAsLong(pod))
        .filter(bytes -> bytes > 0)
        .min()
        .orElse(0);
  }

  @Override
  public Optional<VolumeLocation> location(PodVolume volume) {
    return Optional.of(
        new VolumeLocation(volume.name(), root(volume), !isInMemory(volume.volume())));
  }

  /// A volume in memory occupies no disk, and the kernel enforces its limit.
  @Override
  public DiskUsage measure(PodVolume volume) {
    return isInMemory(volume.volume()) ? DiskUsage.NONE : VolumeTrees.measure(root(volume));
  }

  @Override
  public Optional<String> excess(PodVolume volume) {
    EmptyDirVolumeSource source = volume.volume().getEmptyDir();
    long limit = limit(source);
    return limit > 0 && measure(volume).bytes() > limit
        ? Optional.of(
            "Usage of EmptyDir volume \"%s\" exceeds the limit \"%s\". "
                .formatted(volume.name(), source.getSizeLimit()))
        : Optional.empty();
  }

  private static boolean isInMemory(Volume volume) {
    return !Objects.requireNonNullElse(volume.getEmptyDir().getMedium(), "").isEmpty();
  }

  /// Zero for none.
  private static long limit(EmptyDirVolumeSource source) {
    return source.getSizeLimit() == null
        ? 0
        : Quantity.parse(source.getSizeLimit().toString()).map(Quantity::value).orElse(0L);
  }
}
