package dev.berth.vm.pods;

import dev.berth.vm.guest.model.GuestContainerState;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.machine.MachineExit;
import dev.berth.vm.machine.MachineExit.ExitReason;
import dev.berth.vm.pods.state.ContainerEnd;
import dev.berth.vm.pods.state.ContainerPhase;
import dev.berth.vm.pods.state.ContainerRecord;
import dev.berth.vm.pods.volumes.MountPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records how containers end: by themselves, with their machine, or while nobody watched.
public final class ContainerReports {
  private static final Logger log = LoggerFactory.getLogger(ContainerReports.class);

  /// The kubelet reads 4 KiB of it.
  private static final int LONGEST_MESSAGE = 64 * 1024;

  /// Part of a reason, as kernels write it.
  private static final String OUT_OF_MEMORY = "out of memory";

  private final PodInventory inventory;

  public ContainerReports(PodInventory inventory) {
    this.inventory = inventory;
  }

  /// A program ended. Its output came before.
  void ended(LiveContainer container, GuestExit exit) {
    if (container.record().hasEnded()) {
      return;
    }
    takeMessage(container);
    container.closeOutput();
    inventory.change(
        container,
        record ->
            record.hasEnded()
                ? record
                : record.ended(
                    ContainerEnd.of(time(record, exit), exit.code(), exit.outOfMemory())));
  }

  /// Clocks of guests drift; an end is neither before the start nor in the future.
  private long time(ContainerRecord record, GuestExit exit) {
    long earliest = record.startedAt() + 1;
    return Math.clamp(nanos(exit.time()), earliest, Math.max(earliest, inventory.now()));
  }

  private static long nanos(Instant time) {
    return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
  }

  /// Copies the termination message to the node, which reads it there once the container has ended.
  private static void takeMessage(LiveContainer container) {
    String file = container.record().messageFile();
    if (file.isEmpty() || container.pod().guest().isEmpty()) {
      return;
    }
    try {
      byte[] message =
          container
              .pod()
              .guest()
              .get()
              .agent()
              .readFile(container.id(), MountPlan.MESSAGE, LONGEST_MESSAGE);
      Files.write(
          Path.of(file),
          message,
          StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING,
          LinkOption.NOFOLLOW_LINKS);
    } catch (GuestException | IOException e) {
      log.warn("termination message lost container={} reason={}", container.id(), e.getMessage());
    }
  }

  /// Records an end, once.
  public void end(LiveContainer container, ContainerEnd end) {
    container.closeOutput();
    inventory.change(container, record -> record.hasEnded() ? record : record.ended(end));
  }

  /// Reports the end of a machine, unless the connection was closed before: then it is wanted.
  public void watch(LivePod pod, PodGuest link) {
    link.machine()
        .onExit(
            exit -> {
              if (pod.guest().filter(current -> current == link).isPresent()) {
                machineEnded(pod, exit);
              }
            });
  }

  /// A machine ended without being asked to: everything in it did, too.
  private void machineEnded(LivePod pod, MachineExit exit) {
    String why =
        switch (exit.reason()) {
          case KILLED -> "the machine was killed";
          case POWERED_OFF -> "the guest powered off";
          case PANICKED -> "the guest's kernel panicked";
          case VANISHED -> "QEMU ended unexpectedly";
        };
    String message = exit.detail().isEmpty() ? why : why + ": " + exit.detail();
    log.warn("machine ended sandbox={} reason={}", pod.id(), message);
    endAll(pod, isOutOfMemory(exit) ? "OOMKilled" : "Error", message);
    inventory.change(pod, record -> record.isReady() ? record.stopped(message) : record);
  }

  private static boolean isOutOfMemory(MachineExit exit) {
    return exit.reason() == ExitReason.PANICKED
        && exit.detail().toLowerCase(java.util.Locale.ROOT).contains(OUT_OF_MEMORY);
  }

  /// Records that all running containers of a sandbox were killed.
  public void endAll(LivePod pod, String reason, String message) {
    for (LiveContainer container : pod.containers()) {
      if (container.record().isRunning()) {
        end(container, new ContainerEnd(inventory.now(), ContainerEnd.KILLED, reason, message));
      }
    }
  }

  /// Compares what is recorded with what a guest has, after a connection was made again.
  void compare(LivePod pod, List<GuestContainerState> states) {
    Map<String, GuestContainerState> byId =
        states.stream().collect(Collectors.toMap(GuestContainerState::id, Function.identity()));
    for (LiveContainer container : pod.containers()) {
      GuestContainerState state = byId.get(container.id());
      ContainerRecord record = container.record();
      if (state == null && record.isRunning()) {
        end(
            container,
            new ContainerEnd(
                inventory.now(), ContainerEnd.KILLED, "Error", "the guest does not have it"));
      } else if (state != null
          && state.started().isPresent()
          && record.phase() == ContainerPhase.CREATED) {
        long started = Math.max(nanos(state.started().get()), record.createdAt() + 1);
        inventory.change(
            container, one -> one.phase() == ContainerPhase.CREATED ? one.running(started) : one);
      }
    }
  }
}
