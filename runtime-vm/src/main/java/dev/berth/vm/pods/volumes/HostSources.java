package dev.berth.vm.pods.volumes;

import dev.berth.api.Problem;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.Mount;
import dev.berth.vm.guest.model.GuestMount.GuestOwner;
import dev.berth.vm.pods.volumes.HostMounts.HostMount;
import dev.berth.vm.pods.volumes.HostSource.DeliveredFiles;
import dev.berth.vm.pods.volumes.HostSource.EmptyDirectory;
import dev.berth.vm.pods.volumes.HostSource.MessageFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Finds out what a path of the host is, by the layout that the kubelet and Berth's agent share:
/// CRI passes paths, not volumes.
final class HostSources {
  private static final String EMPTY_DIR = "kubernetes.io~empty-dir";
  private static final String SUB_PATHS = "volume-subpaths";
  private static final String VOLUMES = "volumes";
  private static final String CONTAINERS = "containers";
  private static final String MESSAGE_PATH = "io.kubernetes.container.terminationMessagePath";

  /// The types whose files the node's agent writes.
  private static final List<String> PAYLOADS =
      List.of(
          "kubernetes.io~configmap",
          "kubernetes.io~secret",
          "kubernetes.io~projected",
          "kubernetes.io~downward-api");

  /// What the node's agent writes for each pod, and containers may change for themselves.
  private static final Set<String> COPIES =
      Set.of("/etc/hosts", "/etc/hostname", "/etc/resolv.conf");

  private final HostMounts mounts;

  HostSources(HostMounts mounts) {
    this.mounts = mounts;
  }

  HostSource of(ContainerConfig config, Mount mount) throws IOException {
    Path path = Path.of(mount.getHostPath());
    if (!path.isAbsolute() || !Files.exists(path)) {
      throw refusal(config, mount, "does not exist");
    }
    if (isMessageFile(config, mount, path)) {
      return new MessageFile(path);
    }
    if (isEmptyDirectory(path)) {
      return emptyDirectory(config, mount, path, "");
    }
    Optional<Path> pod = ancestor(path, SUB_PATHS);
    if (pod.isPresent() && path.getNameCount() == pod.get().getNameCount() + 4) {
      return subPath(config, mount, path, pod.get());
    }
    if (Files.isRegularFile(path)) {
      return singleFile(config, mount, path);
    }
    if (Files.isDirectory(path) && Files.isSymbolicLink(path.resolve(VolumeFiles.DATA))) {
      return new DeliveredFiles(path, "", true);
    }
    throw refusal(
        config,
        mount,
        Files.isDirectory(path)
            ? "is a directory of the node, and a guest shares none"
            : "is neither a directory nor a regular file");
  }

  /// The annotation of the kubelet names the path in the container. Without it, the layout is
  /// `containers/NAME/FILE` of the kubelet and of Berth.
  private static boolean isMessageFile(ContainerConfig config, Mount mount, Path path) {
    String annotated = config.getAnnotationsOrDefault(MESSAGE_PATH, "");
    Path directory = path.getParent();
    return !mount.getReadonly()
        && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
        && directory != null
        && directory.endsWith(Path.of(CONTAINERS, config.getMetadata().getName()))
        && (annotated.isEmpty() || annotated.equals(mount.getContainerPath()));
  }

  private static boolean isEmptyDirectory(Path path) {
    Path type = path.getParent();
    return type != null && type.endsWith(Path.of(VOLUMES, EMPTY_DIR)) && Files.isDirectory(path);
  }

  private HostSource emptyDirectory(
      ContainerConfig config, Mount mount, Path directory, String subPath) throws IOException {
    Optional<HostMount> own = mounts.at(directory.toRealPath());
    long memory = -1;
    if (own.isPresent()) {
      if (!own.get().type().equals("tmpfs")) {
        throw refusal(config, mount, "is a file system of type " + own.get().type());
      }
      memory = Files.getFileStore(directory).getTotalSpace();
    }
    return new EmptyDirectory(
        String.valueOf(directory.getFileName()), subPath, memory, owner(directory));
  }

  private static GuestOwner owner(Path directory) throws IOException {
    UnixStatus status = UnixStatus.of(directory);
    return new GuestOwner(status.uid(), status.gid(), status.mode());
  }

  /// `POD/volume-subpaths/VOLUME/CONTAINER/INDEX` is a bind mount of a part of a volume.
  private HostSource subPath(ContainerConfig config, Mount mount, Path path, Path pod)
      throws IOException {
    String volume = path.getName(pod.getNameCount() + 1).toString();
    HostMount bound =
        mounts
            .at(path.toRealPath())
            .orElseThrow(() -> refusal(config, mount, "is a subPath that is not mounted"));
    Path empty = pod.resolve(VOLUMES).resolve(EMPTY_DIR).resolve(volume);
    if (Files.isDirectory(empty)) {
      Path within =
          mounts
              .relative(bound, empty.toRealPath())
              .orElseThrow(() -> refusal(config, mount, "is no part of its volume"));
      return emptyDirectory(config, mount, empty, within.toString());
    }
    boolean payload =
        PAYLOADS.stream()
            .map(type -> Path.of(VOLUMES, type, volume))
            .anyMatch(
                place ->
                    Files.isDirectory(pod.resolve(place))
                        || bound.root().toString().contains("/" + place + "/"));
    if (payload) {
      return new DeliveredFiles(
          path, Files.isDirectory(path) ? "" : String.valueOf(path.getFileName()), false);
    }
    if (Files.isRegularFile(path)) {
      return singleFile(config, mount, path);
    }
    throw refusal(config, mount, "is a directory of the node, and a guest shares none");
  }

  /// A file that the container may write is accepted only where nobody reads it on the node.
  private static HostSource singleFile(ContainerConfig config, Mount mount, Path path) {
    if (!mount.getReadonly() && !COPIES.contains(mount.getContainerPath())) {
      throw refusal(config, mount, "is a file of the node that the container could write");
    }
    return new DeliveredFiles(path, String.valueOf(path.getFileName()), true);
  }

  /// The path before the first directory of this name.
  private static Optional<Path> ancestor(Path path, String name) {
    for (Path at = path; at != null; at = at.getParent()) {
      if (at.endsWith(name)) {
        return Optional.ofNullable(at.getParent());
      }
    }
    return Optional.empty();
  }

  private static VolumeException refusal(ContainerConfig config, Mount mount, String why) {
    return new VolumeException(
        new Problem(
            "container %s cannot be created in a virtual machine"
                .formatted(config.getMetadata().getName()),
            "the source of its mount at %s %s".formatted(mount.getContainerPath(), why),
            "Use configMap, secret, downwardAPI, projected, image or emptyDir volumes, or choose a"
                + " RuntimeClass of containers on the node's kernel"));
  }
}
