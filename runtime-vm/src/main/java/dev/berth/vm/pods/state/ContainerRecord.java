package dev.berth.vm.pods.state;

import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerResources;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A container, as it is on disk.
///
/// @param disks the slots of its machine that it uses, and the image in each; its own image's first
/// @param rootSlot the slot with its root file system
/// @param trees what was delivered to the guest for it
/// @param messageFile of the host, for its termination message; empty for none
/// @param resources the limits in force
public record ContainerRecord(
    String id,
    String sandboxId,
    ContainerConfig config,
    ContainerImage image,
    SortedMap<Integer, String> disks,
    int rootSlot,
    List<DeliveredTree> trees,
    String messageFile,
    String logFile,
    ContainerResources resources,
    ContainerPhase phase,
    long createdAt,
    long startedAt,
    ContainerEnd end) {
  public ContainerRecord {
    disks = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(disks));
    trees = List.copyOf(trees);
  }

  /// The name that runtimes reserve for the attempt of a container, in containerd's form.
  public static String name(ContainerConfig config, SandboxRecord sandbox) {
    var pod = sandbox.config().getMetadata();
    var own = config.getMetadata();
    return String.join(
        "_",
        own.getName(),
        pod.getName(),
        pod.getNamespace(),
        pod.getUid(),
        Integer.toUnsignedString(own.getAttempt()));
  }

  /// Where the log of a container is; empty when it has none.
  public static String logFile(ContainerConfig config, SandboxRecord sandbox) {
    String directory = sandbox.config().getLogDirectory();
    return directory.isEmpty() || config.getLogPath().isEmpty()
        ? ""
        : Path.of(directory).resolve(config.getLogPath()).toString();
  }

  public boolean isRunning() {
    return phase == ContainerPhase.RUNNING;
  }

  public boolean hasEnded() {
    return phase == ContainerPhase.EXITED;
  }

  public ContainerRecord created() {
    return changed(ContainerPhase.CREATED, startedAt, end, resources);
  }

  public ContainerRecord running(long at) {
    return changed(ContainerPhase.RUNNING, at, end, resources);
  }

  public ContainerRecord ended(ContainerEnd how) {
    return changed(ContainerPhase.EXITED, startedAt, how, resources);
  }

  public ContainerRecord with(ContainerResources limits) {
    return changed(phase, startedAt, end, limits);
  }

  private ContainerRecord changed(
      ContainerPhase newPhase, long started, ContainerEnd newEnd, ContainerResources limits) {
    return new ContainerRecord(
        id,
        sandboxId,
        config,
        image,
        disks,
        rootSlot,
        trees,
        messageFile,
        logFile,
        limits,
        newPhase,
        createdAt,
        started,
        newEnd);
  }
}
