package dev.berth.vm.pods;

import dev.berth.vm.machine.VirtualMachine;
import dev.berth.vm.pods.output.ContainerOutput;
import dev.berth.vm.pods.state.ContainerPhase;
import dev.berth.vm.pods.state.ContainerRecord;
import dev.berth.vm.pods.state.SandboxPhase;
import dev.berth.vm.pods.state.SandboxRecord;
import dev.berth.vm.pods.state.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the pods of an earlier process again, and removes what it left half-made.
///
/// The files on disk say what was wanted; machines and networks say what is there. Whatever is
/// there without a file was never answered for.
public final class PodRecovery {
  private static final Logger log = LoggerFactory.getLogger(PodRecovery.class);

  private final RuntimeParts parts;
  private final PodInventory inventory;
  private final GuestStart starts;
  private final ContainerReports reports;
  private final SandboxTeardown teardown;

  /// Containers whose creation was never answered, by their sandbox.
  private final Map<String, List<String>> unfinished = new HashMap<>();

  public PodRecovery(
      RuntimeParts parts, PodInventory inventory, GuestStart starts, ContainerReports reports) {
    this.parts = parts;
    this.inventory = inventory;
    this.starts = starts;
    this.reports = reports;
    this.teardown = new SandboxTeardown(parts);
  }

  /// Runs before the service answers calls. Guests are connected in the background.
  public void run() throws IOException {
    StateDirectory state = inventory.state();
    Map<String, VirtualMachine> machines = new HashMap<>();
    parts.machines().recover().forEach(one -> machines.put(one.sandboxId(), one));
    Map<String, LivePod> pods = new HashMap<>();
    Set<String> known = new HashSet<>();
    for (SandboxRecord sandbox : state.sandboxes()) {
      known.add(sandbox.id());
      if (sandbox.phase() == SandboxPhase.STARTING) {
        // The record goes last: until then the next process finds what is left.
        attempt(sandbox.id(), () -> teardown.dismantle(sandbox.id()));
        state.removeSandbox(sandbox.id());
      } else {
        pods.put(sandbox.id(), inventory.recovered(sandbox));
      }
    }
    recoverContainers(pods);
    removeUnknown(known, machines);
    pods.values().forEach(pod -> attempt(pod.id(), () -> revive(pod, machines.get(pod.id()))));
    log.info("pods recovered sandboxes={} machines={}", pods.size(), machines.size());
  }

  private void recoverContainers(Map<String, LivePod> pods) throws IOException {
    for (ContainerRecord container : inventory.state().containers()) {
      LivePod pod = pods.get(container.sandboxId());
      if (pod == null) {
        inventory.state().removeContainer(container.id());
      } else if (container.phase() == ContainerPhase.CREATING) {
        unfinished.computeIfAbsent(pod.id(), _ -> new ArrayList<>()).add(container.id());
        inventory.state().removeContainer(container.id());
      } else {
        inventory.recovered(container, pod);
      }
    }
  }

  private void removeUnknown(Set<String> known, Map<String, VirtualMachine> machines) {
    Set<String> unknown = new HashSet<>(machines.keySet());
    unknown.addAll(parts.networks().sandboxes());
    unknown.removeAll(known);
    unknown.forEach(id -> attempt(id, () -> teardown.dismantle(id)));
  }

  private void revive(LivePod pod, @Nullable VirtualMachine machine) {
    if (!pod.record().isReady()) {
      teardown.dismantle(pod.id());
      return;
    }
    if (machine == null || machine.exit().isPresent()) {
      String why =
          machine == null
              ? "its machine is gone"
              : "its machine ended: " + machine.exit().orElseThrow().detail();
      reports.endAll(pod, "Error", why);
      inventory.change(pod, record -> record.stopped(why));
      return;
    }
    pod.containers().forEach(this::openOutput);
    PodGuest link = starts.link(pod, machine);
    pod.guest(link);
    reports.watch(pod, link);
    link.connectLater(unfinished.getOrDefault(pod.id(), List.of()));
  }

  /// A container that was started has the position of its output on disk.
  private void openOutput(LiveContainer container) {
    ContainerRecord record = container.record();
    var position = inventory.state().positionFile(container.id());
    if (record.hasEnded() || !Files.exists(position)) {
      return;
    }
    try {
      container.output(ContainerOutput.open(record.logFile(), position, inventory.clock()));
    } catch (IOException e) {
      log.warn("container log not opened container={} reason={}", container.id(), e.toString());
    }
  }

  /// What cannot be removed now does not keep the other pods from being found.
  private static void attempt(String sandbox, Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      log.warn("sandbox not recovered sandbox={} reason={}", sandbox, e.toString());
    }
  }
}
