package dev.berth.agent.volumes;

import dev.berth.agent.files.DirectoryHandle;
import dev.berth.api.Problem;
import dev.berth.api.Quantity;
import io.fabric8.kubernetes.api.model.EmptyDirVolumeSource;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/// Directories that are empty when their pod starts and end with it, on the disk or in memory.
final class EmptyDirVolumes {
  private final AgentMounts mounts;
  private final ToLongFunction<Pod> memory;

  /// Makes nothing yet.
  ///
  /// @param memory how much a pod may use at most; zero when that is not known
  EmptyDirVolumes(AgentMounts mounts, ToLongFunction<Pod> memory) {
    this.mounts = mounts;
    this.memory = memory;
  }

  /// One that was there already stays as its pod has made it; what was in memory is made again when
  /// the machine has been started again.
  void prepare(Pod pod, EmptyDirVolumeSource source, Path directory) throws IOException {
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
                      "emptyDir medium \"%s\" is not served".formatted(medium),
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

  /// Whatever is in it counts as memory of the pod, so it can never hold more.
  private long size(Pod pod, EmptyDirVolumeSource source) {
    return LongStream.of(limit(source), memory.applyAsLong(pod))
        .filter(bytes -> bytes > 0)
        .min()
        .orElse(0);
  }

  static boolean isInMemory(EmptyDirVolumeSource source) {
    return !Objects.requireNonNullElse(source.getMedium(), "").isEmpty();
  }

  /// Zero for none.
  static long limit(EmptyDirVolumeSource source) {
    return source.getSizeLimit() == null
        ? 0
        : Quantity.parse(source.getSizeLimit().toString()).map(Quantity::value).orElse(0L);
  }
}
