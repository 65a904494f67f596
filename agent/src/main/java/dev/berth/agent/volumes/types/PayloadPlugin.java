package dev.berth.agent.volumes.types;

import dev.berth.agent.volumes.VolumeException;
import dev.berth.agent.volumes.VolumeLocation;
import dev.berth.agent.volumes.payloads.AtomicDirectory;
import dev.berth.agent.volumes.payloads.FileContent;
import dev.berth.agent.volumes.payloads.VolumeOwner;
import dev.berth.agent.volumes.payloads.VolumePayloads;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/// A type of volume whose files the agent writes, and writes again when their source changes.
abstract class PayloadPlugin implements VolumePlugin {
  private final VolumeDirectories directories;
  private final VolumePayloads payloads;

  /// A lock for each volume directory. A pod's start and the refresher may write the same volume,
  /// and [AtomicDirectory] expects one writer.
  private final ConcurrentMap<Path, ReentrantLock> writers = new ConcurrentHashMap<>();

  PayloadPlugin(VolumeDirectories directories, VolumePayloads payloads) {
    this.directories = directories;
    this.payloads = payloads;
  }

  /// The volume's files, by path.
  ///
  /// @throws VolumeException when something that the volume needs does not exist
  abstract void addFiles(
      PodVolume volume, VolumePayloads source, SortedMap<String, FileContent> files);

  /// The name of the type's directory below a pod's `volumes`, as the kubelet has it.
  abstract String directory();

  /// Whether the files may reach the node's disk; files of other types stay in memory.
  boolean isOnDisk() {
    return false;
  }

  @Override
  public final Path root(PodVolume volume) {
    return isOnDisk()
        ? directories.onDisk(volume.pod(), directory(), volume.name())
        : directories.inMemory(volume.pod(), directory(), volume.name());
  }

  @Override
  public final void prepare(PodVolume volume) throws IOException {
    Files.createDirectories(root(volume));
    write(volume, payloads);
  }

  /// A volume that was never written is left to the pod's start, which reports what is missing.
  @Override
  public final boolean refresh(PodVolume volume, VolumePayloads source) throws IOException {
    return AtomicDirectory.wasWritten(root(volume)) && write(volume, source);
  }

  private boolean write(PodVolume volume, VolumePayloads source) throws IOException {
    Path directory = root(volume);
    ReentrantLock writer = writers.computeIfAbsent(directory, _ -> new ReentrantLock());
    writer.lock();
    try {
      SortedMap<String, FileContent> files = new TreeMap<>();
      addFiles(volume, source, files);
      return AtomicDirectory.write(directory, VolumeOwner.of(volume.pod()), files);
    } finally {
      writer.unlock();
    }
  }

  @Override
  public final boolean isReadOnly() {
    return true;
  }

  @Override
  public final Optional<VolumeLocation> location(PodVolume volume) {
    return Optional.of(new VolumeLocation(volume.name(), root(volume), isOnDisk()));
  }

  @Override
  public void remove(Pod pod) {
    writers
        .keySet()
        .removeIf(
            directory ->
                directory.startsWith(directories.ofPod(pod))
                    || directory.startsWith(directories.inMemory(pod)));
  }
}
