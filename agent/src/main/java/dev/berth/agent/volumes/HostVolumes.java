package dev.berth.agent.volumes;

import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.files.FileHandle;
import dev.berth.agent.files.PathEscapeException;
import dev.berth.agent.files.VolumeTrees;
import dev.berth.agent.volumes.VolumeMounting.Recursion;
import dev.berth.api.Problem;
import dev.berth.client.ClientException;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Volumes in directories of this node.
public final class HostVolumes implements PodVolumes {
  private static final Logger log = LoggerFactory.getLogger(HostVolumes.class);

  private final VolumeDirectories directories;
  private final AgentMounts mounts;
  private final ServiceAccountTokens tokens;
  private final VolumePayloads payloads;
  private final EmptyDirVolumes empty;
  private final ChangedPods changes = new ChangedPods();

  /// One for each volume of the API: who has it may write the volume's files.
  private final ConcurrentMap<Path, ReentrantLock> writers = new ConcurrentHashMap<>();

  private HostVolumes(
      VolumeDirectories directories,
      AgentMounts mounts,
      EmptyDirVolumes empty,
      ServiceAccountTokens tokens,
      VolumePayloads payloads) {
    this.directories = directories;
    this.mounts = mounts;
    this.empty = empty;
    this.tokens = tokens;
    this.payloads = payloads;
  }

  /// Makes the directories, and puts one of them in memory: once for all pods, so that a pod's
  /// start does not wait for a mount, and runtimes that start later see it in namespaces of their
  /// own.
  ///
  /// @param memory how much a pod may use at most; zero when that is not known
  public static HostVolumes open(
      VolumeDirectories directories,
      VolumeSources sources,
      DownwardValues downward,
      AgentMounts mounts,
      ToLongFunction<Pod> memory,
      InstantSource clock)
      throws IOException {
    Files.createDirectories(directories.pods());
    Files.createDirectories(directories.memory());
    mounts.memory(directories.memory(), 0);
    // Also what the first pod would wait for: the functions of the C library are linked here.
    try (DirectoryHandle memoryDirectory = DirectoryHandle.open(directories.memory())) {
      memoryDirectory.self().setMode(0700);
    }
    var tokens = new ServiceAccountTokens(sources, clock);
    return new HostVolumes(
        directories,
        mounts,
        new EmptyDirVolumes(mounts, memory),
        tokens,
        new VolumePayloads(sources, downward, tokens));
  }

  @Override
  public void prepare(Pod pod) {
    forEach(pod, volume -> prepare(pod, volume));
  }

  private interface Treatment {
    void of(Volume volume) throws IOException;
  }

  /// One that fails is no reason to leave the others as they are; all mistakes are told at the end.
  private static void forEach(Pod pod, Treatment treatment) {
    List<String> mistakes = new ArrayList<>();
    for (Volume volume : pod.getSpec().getVolumes()) {
      try {
        treatment.of(volume);
      } catch (VolumeException | ClientException e) {
        mistakes.add(failed(volume, String.valueOf(e.getMessage())));
      } catch (IOException e) {
        mistakes.add(failed(volume, e.toString()));
      }
    }
    if (!mistakes.isEmpty()) {
      throw new VolumeException(String.join("; ", mistakes));
    }
  }

  private static String failed(Volume volume, String why) {
    return "MountVolume.SetUp failed for volume \"%s\" : %s".formatted(volume.getName(), why);
  }

  private void prepare(Pod pod, Volume volume) throws IOException {
    VolumeType type = VolumeType.of(pod, volume);
    switch (type) {
      case HOST_PATH -> HostPaths.prepare(volume.getHostPath());
      case EMPTY_DIR ->
          empty.prepare(pod, volume.getEmptyDir(), directories.of(pod, type, volume.getName()));
      case CONFIG_MAP, SECRET, DOWNWARD_API, PROJECTED -> {
        Files.createDirectories(directories.of(pod, type, volume.getName()));
        write(pod, volume, type, payloads);
      }
    }
  }

  private boolean write(Pod pod, Volume volume, VolumeType type, VolumePayloads payloads)
      throws IOException {
    Path directory = directories.of(pod, type, volume.getName());
    ReentrantLock writer = writers.computeIfAbsent(directory, _ -> new ReentrantLock());
    writer.lock();
    try {
      return AtomicDirectory.write(directory, VolumeOwner.of(pod), payloads.of(pod, volume, type));
    } finally {
      writer.unlock();
    }
  }

  @Override
  public void changed(Pod pod) {
    changes.add(pod);
  }

  /// Whose volumes are to be refreshed.
  ChangedPods changes() {
    return changes;
  }

  /// Contents as of now for a look at many pods.
  VolumePayloads round() {
    return payloads.ofARound();
  }

  /// Writes what changed since, and tokens that are about to expire. What was never there is left
  /// to the pod's start, which tells users what is missing.
  ///
  /// @return the volumes that have changed
  /// @throws VolumeException for those that cannot be read now, when the others are done
  List<String> refresh(Pod pod, VolumePayloads round) {
    List<String> changed = new ArrayList<>();
    forEach(
        pod,
        volume -> {
          if (wasWritten(pod, volume) && write(pod, volume, VolumeType.of(pod, volume), round)) {
            changed.add(volume.getName());
          }
        });
    return changed;
  }

  private boolean wasWritten(Pod pod, Volume volume) {
    return VolumeType.find(volume)
        .filter(VolumeType::hasPayload)
        .filter(type -> AtomicDirectory.wasWritten(directories.of(pod, type, volume.getName())))
        .isPresent();
  }

  @Override
  public List<VolumeMounting> mounts(Pod pod, Container container) {
    refuseDevices(container);
    List<VolumeMounting> mountings = new ArrayList<>();
    List<VolumeMount> wanted = container.getVolumeMounts();
    for (int i = 0; i < wanted.size(); i++) {
      VolumeMount mount = wanted.get(i);
      try {
        mountings.add(
            new VolumeMounting(
                mount.getMountPath(),
                hostPath(pod, container, mount, i).toString(),
                Boolean.TRUE.equals(mount.getReadOnly()) || isWrittenByAgent(pod, mount),
                recursion(mount),
                Objects.requireNonNullElse(mount.getMountPropagation(), "None"),
                !isOfHost(pod, mount)));
      } catch (IOException e) {
        throw new VolumeException(subPathFailed(pod, container, mount, e));
      }
    }
    return mountings;
  }

  /// How directories of the host are called, and what is in them, is not for users of pods to know.
  private static String subPathFailed(
      Pod pod, Container container, VolumeMount mount, IOException cause) {
    String what =
        "failed to prepare subPath for volumeMount \"%s\" of container \"%s\""
            .formatted(mount.getName(), container.getName());
    if (cause instanceof PathEscapeException) {
      return what + ": " + cause.getMessage();
    }
    log.warn(
        "subPath not prepared pod={}/{} container={} volume={}: {}",
        pod.getMetadata().getNamespace(),
        pod.getMetadata().getName(),
        container.getName(),
        mount.getName(),
        cause.toString());
    return what;
  }

  private static boolean isOfHost(Pod pod, VolumeMount mount) {
    return volume(pod, mount).getHostPath() != null;
  }

  /// What the API says is not the container's to change, whatever it asks for.
  private static boolean isWrittenByAgent(Pod pod, VolumeMount mount) {
    return VolumeType.of(pod, volume(pod, mount)).hasPayload();
  }

  private static Volume volume(Pod pod, VolumeMount mount) {
    return pod.getSpec().getVolumes().stream()
        .filter(one -> one.getName().equals(mount.getName()))
        .findFirst()
        .orElseThrow(
            () -> new VolumeException("volume \"%s\" not found".formatted(mount.getName())));
  }

  private static void refuseDevices(Container container) {
    if (!container.getVolumeDevices().isEmpty()) {
      throw new VolumeException(
          new Problem(
              "container \"%s\" cannot start".formatted(container.getName()),
              "the agent does not serve volumeDevices",
              "Mount a volume with volumeMounts instead"));
    }
  }

  private static Recursion recursion(VolumeMount mount) {
    return switch (Objects.requireNonNullElse(mount.getRecursiveReadOnly(), "")) {
      case "Enabled" -> Recursion.REQUIRED;
      case "IfPossible" -> Recursion.IF_POSSIBLE;
      default -> Recursion.NO;
    };
  }

  private Path hostPath(Pod pod, Container container, VolumeMount mount, int index)
      throws IOException {
    Volume volume = volume(pod, mount);
    VolumeType type = VolumeType.of(pod, volume);
    Path root =
        type == VolumeType.HOST_PATH
            ? Path.of(volume.getHostPath().getPath())
            : directories.of(pod, type, volume.getName());
    String subPath = Objects.requireNonNullElse(mount.getSubPath(), "");
    if (subPath.isEmpty()) {
      return root;
    }
    try (FileHandle part = SubPath.make(root, subPath)) {
      return mounts.bind(
          part, directories.subPath(pod, volume.getName(), container.getName(), index));
    }
  }

  @Override
  public Optional<String> excess(Pod pod) {
    return pod.getSpec().getVolumes().stream()
        .filter(
            volume ->
                volume.getEmptyDir() != null && EmptyDirVolumes.limit(volume.getEmptyDir()) > 0)
        .filter(volume -> used(pod, volume) > EmptyDirVolumes.limit(volume.getEmptyDir()))
        .map(
            volume ->
                "Usage of EmptyDir volume \"%s\" exceeds the limit \"%s\". "
                    .formatted(volume.getName(), volume.getEmptyDir().getSizeLimit()))
        .findFirst();
  }

  /// In memory the kernel keeps the limit itself.
  private long used(Pod pod, Volume volume) {
    return EmptyDirVolumes.isInMemory(volume.getEmptyDir()) ? 0 : measure(pod, volume).bytes();
  }

  private DiskUsage measure(Pod pod, Volume volume) {
    return VolumeTrees.measure(directories.of(pod, VolumeType.EMPTY_DIR, volume.getName()));
  }

  @Override
  public DiskUsage used(Pod pod) {
    return pod.getSpec().getVolumes().stream()
        .filter(volume -> volume.getEmptyDir() != null)
        .filter(volume -> !EmptyDirVolumes.isInMemory(volume.getEmptyDir()))
        .map(volume -> measure(pod, volume))
        .reduce(DiskUsage.NONE, DiskUsage::plus);
  }

  @Override
  public List<VolumeLocation> places(Pod pod) {
    List<VolumeLocation> places = new ArrayList<>();
    for (Volume volume : pod.getSpec().getVolumes()) {
      VolumeType.find(volume)
          .filter(type -> type != VolumeType.HOST_PATH)
          .ifPresent(type -> places.add(place(pod, volume, type)));
    }
    return places;
  }

  private VolumeLocation place(Pod pod, Volume volume, VolumeType type) {
    boolean inMemory =
        type == VolumeType.EMPTY_DIR
            ? EmptyDirVolumes.isInMemory(volume.getEmptyDir())
            : type != VolumeType.CONFIG_MAP;
    return new VolumeLocation(
        volume.getName(), directories.of(pod, type, volume.getName()), !inMemory);
  }

  @Override
  public void remove(Pod pod) {
    try {
      mounts.unmountBelow(directories.ofPod(pod));
      VolumeTrees.delete(directories.ofPod(pod).resolve("volume-subpaths"));
      VolumeTrees.delete(directories.ofPod(pod).resolve("volumes"));
      VolumeTrees.delete(directories.inMemory(pod));
      tokens.forget(pod.getMetadata().getUid());
      writers
          .keySet()
          .removeIf(
              directory ->
                  directory.startsWith(directories.ofPod(pod))
                      || directory.startsWith(directories.inMemory(pod)));
    } catch (IOException e) {
      throw new VolumeException(
          new Problem(
              "volumes of pod %s/%s cannot be removed"
                  .formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName()),
              e.toString(),
              "They are tried again"));
    }
  }
}
