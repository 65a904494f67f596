package dev.berth.vm.pods.volumes;

import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.Mount;
import dev.berth.vm.guest.model.GuestMount;
import dev.berth.vm.guest.model.GuestMount.GuestOwner;
import dev.berth.vm.guest.model.GuestMount.MountSource.FileSource;
import dev.berth.vm.guest.model.GuestMount.MountSource.MemorySource;
import dev.berth.vm.guest.model.GuestMount.MountSource.ScratchSource;
import dev.berth.vm.guest.model.GuestMount.MountSource.TreeSource;
import dev.berth.vm.pods.rules.PodFilesRule;
import dev.berth.vm.pods.state.DeliveredTree;
import dev.berth.vm.pods.volumes.HostSource.DeliveredFiles;
import dev.berth.vm.pods.volumes.HostSource.EmptyDirectory;
import dev.berth.vm.pods.volumes.HostSource.MessageFile;
import dev.berth.vm.pods.volumes.MountPlan.ImageMount;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Plans the mounts of a container in its guest, in the order of the configuration, after those
/// that every container has.
public final class VolumePlanner {
  /// As large as Docker and Kubernetes make it.
  private static final long SHARED_MEMORY_BYTES = 64L << 20;

  private static final String SHARED_MEMORY = "/dev/shm";
  private static final GuestOwner ANYBODYS = new GuestOwner(0, 0, 01777);

  private final List<GuestMount> mounts = new ArrayList<>();
  private final List<ImageMount> images = new ArrayList<>();
  private final List<DeliveredTree> trees = new ArrayList<>();
  private String messageFile = "";

  private VolumePlanner() {}

  /// Plans the mounts.
  ///
  /// @throws VolumeException for a source that no guest can have
  public static MountPlan plan(ContainerConfig config) throws IOException {
    VolumePlanner planner = new VolumePlanner();
    List<String> own = config.getMountsList().stream().map(Mount::getContainerPath).toList();
    planner.addOfEveryContainer(own);
    HostMounts hostMounts =
        config.getMountsCount() == 0 ? new HostMounts(List.of()) : HostMounts.read();
    HostSources sources = new HostSources(hostMounts);
    for (Mount mount : config.getMountsList()) {
      planner.add(config, mount, sources);
    }
    return new MountPlan(planner.mounts, planner.images, planner.trees, planner.messageFile);
  }

  private void addOfEveryContainer(List<String> own) {
    if (!own.contains(SHARED_MEMORY)) {
      // One for the pod, whose containers share their IPC namespace.
      mounts.add(
          new GuestMount(
              SHARED_MEMORY,
              new MemorySource("pod-shm", SHARED_MEMORY_BYTES, ANYBODYS),
              "",
              false));
    }
    for (String name : PodFilesRule.NAMES) {
      if (!own.contains("/etc/" + name)) {
        mounts.add(new GuestMount("/etc/" + name, new TreeSource(PodFilesRule.TREE), name, false));
      }
    }
  }

  private void add(ContainerConfig config, Mount mount, HostSources sources) throws IOException {
    String destination = mount.getContainerPath();
    if (!mount.getImage().getImage().isEmpty()) {
      images.add(new ImageMount(mount.getImage().getImage(), destination, mount.getImageSubPath()));
      return;
    }
    boolean readOnly = mount.getReadonly();
    switch (sources.of(config, mount)) {
      case EmptyDirectory(String volume, String subPath, long memory, GuestOwner owner) -> {
        String name = "empty-" + volume;
        mounts.add(
            new GuestMount(
                destination,
                memory < 0 ? new ScratchSource(name, owner) : new MemorySource(name, memory, owner),
                subPath,
                readOnly));
      }
      case DeliveredFiles(var path, String file, boolean followed) -> {
        String name = name(path.toString());
        if (trees.stream().noneMatch(tree -> tree.name().equals(name))) {
          trees.add(new DeliveredTree(name, path.toString(), followed));
        }
        mounts.add(new GuestMount(destination, new TreeSource(name), file, readOnly));
      }
      case MessageFile(var path) -> {
        messageFile = path.toString();
        mounts.add(new GuestMount(destination, new FileSource(MountPlan.MESSAGE), "", false));
      }
    }
  }

  /// Containers that mount the same source share its copy in the guest.
  private static String name(String path) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(path.getBytes(StandardCharsets.UTF_8));
      return "files-" + HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
