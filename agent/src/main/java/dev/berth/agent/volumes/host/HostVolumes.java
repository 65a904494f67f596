package dev.berth.agent.volumes.host;

import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.files.FileHandle;
import dev.berth.agent.files.PathEscapeException;
import dev.berth.agent.files.VolumeTrees;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.agent.volumes.VolumeException;
import dev.berth.agent.volumes.VolumeLocation;
import dev.berth.agent.volumes.VolumeMounting;
import dev.berth.agent.volumes.VolumeMounting.Recursion;
import dev.berth.agent.volumes.mounts.AgentMounts;
import dev.berth.agent.volumes.payloads.DownwardValues;
import dev.berth.agent.volumes.payloads.ServiceAccountTokens;
import dev.berth.agent.volumes.payloads.VolumePayloads;
import dev.berth.agent.volumes.payloads.VolumeSources;
import dev.berth.agent.volumes.types.PodVolume;
import dev.berth.agent.volumes.types.VolumeDirectories;
import dev.berth.agent.volumes.types.VolumePlugin;
import dev.berth.agent.volumes.types.VolumePlugins;
import dev.berth.api.Problem;
import dev.berth.client.ClientException;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Volumes in directories of this node.
public final class HostVolumes implements PodVolumes {
  private static final Logger log = LoggerFactory.getLogger(HostVolumes.class);

  private final VolumeDirectories directories;
  private final AgentMounts mounts;
  private final VolumePayloads payloads;
  private final VolumePlugins plugins;
  private final ChangedPods changes = new ChangedPods();

  private HostVolumes(
      VolumeDirectories directories,
      AgentMounts mounts,
      VolumePayloads payloads,
      VolumePlugins plugins) {
    this.directories = directories;
    this.mounts = mounts;
    this.payloads = payloads;
    this.plugins = plugins;
  }

  /// Creates the directories, and mounts the one in memory: once for all pods, so that a pod's
  /// start does not wait for a mount, and runtimes that start later see it in their own mount
  /// namespaces.
  ///
  /// @param memory the most memory, in bytes, that a pod may use; zero when unknown
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
    // This also links the functions of the C library, which the first pod would otherwise wait for.
    try (DirectoryHandle memoryDirectory = DirectoryHandle.open(directories.memory())) {
      memoryDirectory.self().setMode(0700);
    }
    VolumePayloads payloads =
        new VolumePayloads(sources, downward, new ServiceAccountTokens(sources, clock));
    return new HostVolumes(
        directories, mounts, payloads, VolumePlugins.of(directories, mounts, payloads, memory));
  }

  @Override
  public void prepare(Pod pod) {
    forEach(pod, volume -> plugins.require(volume).prepare(volume));
  }

  private interface Treatment {
    void of(PodVolume volume) throws IOException;
  }

  /// A volume that fails does not keep the others from their turn; all failures are reported
  /// together at the end.
  private static void forEach(Pod pod, Treatment treatment) {
    List<String> failures = new ArrayList<>();
    for (PodVolume volume : all(pod)) {
      try {
        treatment.of(volume);
      } catch (VolumeException | ClientException e) {
        failures.add(failed(volume, String.valueOf(e.getMessage())));
      } catch (IOException e) {
        failures.add(failed(volume, e.toString()));
      }
    }
    if (!failures.isEmpty()) {
      throw new VolumeException(String.join("; ", failures));
    }
  }

  private static String failed(PodVolume volume, String why) {
    return "MountVolume.SetUp failed for volume \"%s\" : %s".formatted(volume.name(), why);
  }

  private static List<PodVolume> all(Pod pod) {
    return pod.getSpec().getVolumes().stream().map(one -> new PodVolume(pod, one)).toList();
  }

  @Override
  public void changed(Pod pod) {
    changes.add(pod);
  }

  /// The pods whose volumes need a refresh.
  ChangedPods changes() {
    return changes;
  }

  /// Payloads for one round over many pods.
  VolumePayloads round() {
    return payloads.ofARound();
  }

  /// Writes changed files and tokens that expire soon. A volume that was never prepared is left to
  /// the pod's start, which reports what is missing.
  ///
  /// @return the names of changed volumes
  /// @throws VolumeException for sources that cannot be read now, after all other volumes are done
  List<String> refresh(Pod pod, VolumePayloads round) {
    List<String> changed = new ArrayList<>();
    forEach(
        pod,
        volume -> {
          Optional<VolumePlugin> plugin = plugins.find(volume);
          if (plugin.isPresent() && plugin.get().refresh(volume, round)) {
            changed.add(volume.name());
          }
        });
    return changed;
  }

  @Override
  public List<VolumeMounting> mounts(Pod pod, Container container) {
    refuseDevices(container);
    List<VolumeMounting> mountings = new ArrayList<>();
    List<VolumeMount> wanted = container.getVolumeMounts();
    for (int i = 0; i < wanted.size(); i++) {
      VolumeMount mount = wanted.get(i);
      PodVolume volume = volume(pod, mount);
      VolumePlugin plugin = plugins.require(volume);
      try {
        mountings.add(
            new VolumeMounting(
                mount.getMountPath(),
                hostPath(plugin.root(volume), volume, container, i).toString(),
                Boolean.TRUE.equals(mount.getReadOnly()) || plugin.isReadOnly(),
                recursion(mount),
                Objects.requireNonNullElse(mount.getMountPropagation(), "None"),
                !plugin.isOfHost()));
      } catch (IOException e) {
        throw new VolumeException(subPathFailed(pod, container, mount, e));
      }
    }
    return mountings;
  }

  /// The message for users contains no paths of the host; the log has the details.
  private static String subPathFailed(
      Pod pod, Container container, VolumeMount mount, IOException cause) {
    String what =
        "failed to prepare subPath for volumeMount \"%s\" of container \"%s\""
            .formatted(mount.getName(), container.getName());
    if (cause instanceof PathEscapeException) {
      return what + ": " + cause.getMessage();
    }
    log.warn(
        "subPath not prepared pod={}/{} container={} volume={} reason={}",
        pod.getMetadata().getNamespace(),
        pod.getMetadata().getName(),
        container.getName(),
        mount.getName(),
        cause.toString());
    return what;
  }

  private static PodVolume volume(Pod pod, VolumeMount mount) {
    return all(pod).stream()
        .filter(one -> one.name().equals(mount.getName()))
        .findFirst()
        .orElseThrow(
            () -> new VolumeException("volume \"%s\" not found".formatted(mount.getName())));
  }

  private static void refuseDevices(Container container) {
    if (!container.getVolumeDevices().isEmpty()) {
      throw new VolumeException(
          new Problem(
              "container \"%s\" cannot start".formatted(container.getName()),
              "the agent does not support volumeDevices",
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

  private Path hostPath(Path root, PodVolume volume, Container container, int index)
      throws IOException {
    String subPath =
        Objects.requireNonNullElse(container.getVolumeMounts().get(index).getSubPath(), "");
    if (subPath.isEmpty()) {
      return root;
    }
    try (FileHandle part = SubPath.make(root, subPath)) {
      return mounts.bind(
          part, directories.subPath(volume.pod(), volume.name(), container.getName(), index));
    }
  }

  @Override
  public Optional<String> excess(Pod pod) {
    return all(pod).stream()
        .flatMap(volume -> plugins.find(volume).flatMap(plugin -> plugin.excess(volume)).stream())
        .findFirst();
  }

  @Override
  public DiskUsage used(Pod pod) {
    return all(pod).stream()
        .flatMap(volume -> plugins.find(volume).map(plugin -> plugin.measure(volume)).stream())
        .reduce(DiskUsage.NONE, DiskUsage::plus);
  }

  @Override
  public List<VolumeLocation> places(Pod pod) {
    return all(pod).stream()
        .flatMap(volume -> plugins.find(volume).flatMap(plugin -> plugin.location(volume)).stream())
        .toList();
  }

  @Override
  public void remove(Pod pod) {
    try {
      mounts.unmountBelow(directories.ofPod(pod));
      VolumeTrees.delete(directories.ofPod(pod).resolve("volume-subpaths"));
      VolumeTrees.delete(directories.ofPod(pod).resolve("volumes"));
      VolumeTrees.delete(directories.inMemory(pod));
      plugins.all().forEach(plugin -> plugin.remove(pod));
    } catch (IOException e) {
      throw new VolumeException(
          new Problem(
              "volumes of pod %s/%s cannot be removed"
                  .formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName()),
              e.toString(),
              "The agent tries again"));
    }
  }
}
