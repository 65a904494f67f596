package dev.berth.agent.pods.act;

import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.files.FileHandle;
import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.config.HostsFile;
import dev.berth.agent.pods.config.LogPaths;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.agent.volumes.VolumeException;
import dev.berth.agent.volumes.VolumeMounting;
import dev.berth.agent.volumes.VolumeMounting.Recursion;
import dev.berth.cri.v1.Mount;
import dev.berth.cri.v1.MountPropagation;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Computes the mounts of a container: volumes, the hosts file and the file for its termination
/// message.
public final class ContainerFiles {
  private static final String MESSAGES = "containers";
  private static final String HOSTS = "etc-hosts";

  private final NodeSettings node;
  private final PlatformConfig platform;
  private final PodVolumes volumes;
  private final RuntimeServices runtimes;

  public ContainerFiles(
      NodeSettings node, PlatformConfig platform, PodVolumes volumes, RuntimeServices runtimes) {
    this.node = node;
    this.platform = platform;
    this.volumes = volumes;
    this.runtimes = runtimes;
  }

  List<Mount> mounts(
      StepContext stepContext, Container container, int attempt, List<String> addresses) {
    Pod pod = stepContext.pod();
    List<Mount> mounts = new ArrayList<>();
    try {
      volumes.mounts(pod, container).forEach(one -> mounts.add(mount(stepContext, container, one)));
      boolean ownHosts =
          mounts.stream().anyMatch(one -> one.getContainerPath().equals(platform.hostsFile()));
      if (!ownHosts) {
        mounts.add(hosts(pod, addresses));
      }
      mounts.add(terminationMessage(pod, container, attempt));
      LogPaths.make(node, pod, container.getName());
      return mounts;
    } catch (VolumeException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new ConfigException("cannot create the container's files: " + e);
    }
  }

  /// The file of a container's termination message.
  static Path messageFile(NodeSettings node, String podUid, String container, int attempt) {
    return node.podDirectory(podUid)
        .resolve(MESSAGES)
        .resolve(container)
        .resolve(attempt + ".message");
  }

  private Mount terminationMessage(Pod pod, Container container, int attempt) throws IOException {
    Path file = messageFile(node, pod.getMetadata().getUid(), container.getName(), attempt);
    Path directory = node.podDirectory(pod.getMetadata().getUid());
    try (DirectoryHandle handle = DirectoryHandle.make(directory, MESSAGES, container.getName());
        FileHandle message = handle.createOrOpen(String.valueOf(file.getFileName()))) {
      // The container may run as any user, and must be able to write the file.
      message.setMode(0666);
    }
    String path = container.getTerminationMessagePath();
    return Mount.newBuilder()
        .setContainerPath(
            platform.containerPath(path == null || path.isEmpty() ? "/dev/termination-log" : path))
        .setHostPath(file.toString())
        .setSelinuxRelabel(true)
        .build();
  }

  private Mount hosts(Pod pod, List<String> addresses) throws IOException {
    Path directory = node.podDirectory(pod.getMetadata().getUid());
    byte[] content =
        HostsFile.of(pod, addresses, node.dns().domain()).getBytes(StandardCharsets.UTF_8);
    try (DirectoryHandle handle = DirectoryHandle.make(directory);
        FileHandle file = handle.createOrOpen(HOSTS)) {
      // Containers can write any amount into the file, so its size is compared first.
      if (file.status().size() != content.length
          || !Arrays.equals(file.tail(content.length), content)) {
        file.write(content);
        file.setMode(0644);
      }
    }
    return Mount.newBuilder()
        .setContainerPath(platform.hostsFile())
        .setHostPath(directory.resolve(HOSTS).toString())
        .setSelinuxRelabel(true)
        .build();
  }

  /// Whether mounts below this mount become read-only, too; not every runtime can do that
  /// (KEP-3857).
  private boolean isRecursive(
      StepContext stepContext, Container container, VolumeMounting mounting) {
    if (mounting.recursion() == Recursion.NO) {
      return false;
    }
    boolean possible =
        runtimes
            .snapshot()
            .find(stepContext.service().name())
            .flatMap(service -> service.handlers().find(stepContext.handler()))
            .map(ServiceHandler::recursiveReadOnlyMounts)
            .orElse(false);
    if (!possible && mounting.recursion() == Recursion.REQUIRED) {
      String volume =
          container.getVolumeMounts().stream()
              .filter(one -> one.getMountPath().equals(mounting.containerPath()))
              .map(VolumeMount::getName)
              .findFirst()
              .orElse("");
      throw new ConfigException(
          "volume \"%s\" requested recursive read-only mode, but it is not supported by the runtime"
              .formatted(volume));
    }
    return possible;
  }

  private Mount mount(StepContext stepContext, Container container, VolumeMounting mounting) {
    MountPropagation propagation =
        switch (mounting.propagation()) {
          case "HostToContainer" -> MountPropagation.PROPAGATION_HOST_TO_CONTAINER;
          case "Bidirectional" -> MountPropagation.PROPAGATION_BIDIRECTIONAL;
          default -> MountPropagation.PROPAGATION_PRIVATE;
        };
    return Mount.newBuilder()
        .setContainerPath(platform.containerPath(mounting.containerPath()))
        .setHostPath(mounting.hostPath())
        .setReadonly(mounting.readOnly())
        .setRecursiveReadOnly(isRecursive(stepContext, container, mounting))
        .setPropagation(propagation)
        .setSelinuxRelabel(mounting.relabel())
        .build();
  }
}
