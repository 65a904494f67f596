package dev.berth.sim.vm;

import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_SNAPSHOT_CREATED;
import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_SNAPSHOT_DELETED;
import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_SNAPSHOT_RESTORED;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.vm.v1.CreateSnapshotRequest;
import dev.berth.cri.vm.v1.ListSnapshotsRequest;
import dev.berth.cri.vm.v1.Snapshot;
import dev.berth.cri.vm.v1.VirtualMachineState;
import io.grpc.Status;
import java.util.Comparator;
import java.util.List;

/// Snapshots of virtual machines. A snapshot holds a state and no bytes.
final class VmSnapshots {
  /// Size that a snapshot reports for the disks.
  private static final long DISK_BYTES = 1024 * 1024;

  private final SimVms vms;

  VmSnapshots(SimVms vms) {
    this.vms = vms;
  }

  /// Takes a snapshot. A running machine runs on afterwards.
  Snapshot create(CreateSnapshotRequest request) {
    return vms.machine.locked(
        () -> {
          SimVm vm = vms.find(request.getVirtualMachineId());
          // A machine that is off has no memory to save.
          if (request.getMemory() && !vm.isOn()) {
            throw vm.cannot("snapshot with its memory");
          }
          String id = vms.machine.ids().id();
          String name =
              request.getName().isEmpty() ? "snapshot-" + id.substring(0, 8) : request.getName();
          if (vm.snapshots.stream().anyMatch(other -> other.getName().equals(name))) {
            throw new CallRefusal(
                Status.Code.ALREADY_EXISTS,
                "%s already has a snapshot %s".formatted(vm.name(), name));
          }
          long memory = request.getMemory() ? vm.config.getResources().getMemoryBytes() : 0;
          Snapshot snapshot =
              Snapshot.newBuilder()
                  .setId(id)
                  .setVirtualMachineId(vm.id)
                  .setName(name)
                  .setCreatedAt(vms.machine.timeline().nanos())
                  .setSizeBytes(DISK_BYTES + memory)
                  .setMemory(request.getMemory())
                  .setState(vm.state)
                  .putAllLabels(request.getLabelsMap())
                  .setParentId(vm.lastSnapshot)
                  .build();
          vm.snapshots.add(snapshot);
          vm.lastSnapshot = id;
          vms.publish(vm, VIRTUAL_MACHINE_EVENT_SNAPSHOT_CREATED, id);
          return snapshot;
        });
  }

  /// Puts a machine back to a snapshot, whatever its state is. Later snapshots stay.
  void restore(String id, String snapshotId) {
    vms.machine.locked(
        () -> {
          SimVm vm = vms.find(id);
          Snapshot snapshot = find(vm, snapshotId);
          // A snapshot without memory holds the disks alone, so the guest has to boot from them.
          vm.state =
              snapshot.getMemory()
                  ? snapshot.getState()
                  : VirtualMachineState.VIRTUAL_MACHINE_STOPPED;
          vm.lastSnapshot = snapshot.getId();
          vms.publish(vm, VIRTUAL_MACHINE_EVENT_SNAPSHOT_RESTORED, snapshot.getId());
          return vm;
        });
  }

  List<Snapshot> list(ListSnapshotsRequest request) {
    return vms.machine.locked(
        () -> {
          List<SimVm> of =
              request.getVirtualMachineId().isEmpty()
                  ? vms.all()
                  : List.of(vms.find(request.getVirtualMachineId()));
          return of.stream()
              .flatMap(vm -> vm.snapshots.stream())
              .filter(
                  one ->
                      one.getLabelsMap()
                          .entrySet()
                          .containsAll(request.getLabelSelectorMap().entrySet()))
              .sorted(Comparator.comparingLong(Snapshot::getCreatedAt))
              .toList();
        });
  }

  void delete(String id, String snapshotId) {
    vms.machine.locked(
        () -> {
          SimVm vm = vms.find(id);
          Snapshot snapshot = find(vm, snapshotId);
          vm.snapshots.remove(snapshot);
          vms.publish(vm, VIRTUAL_MACHINE_EVENT_SNAPSHOT_DELETED, snapshot.getId());
          return vm;
        });
  }

  private static Snapshot find(SimVm vm, String id) {
    return vm.snapshots.stream()
        .filter(snapshot -> snapshot.getId().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                CallRefusal.notFound("snapshot \"%s\" of %s: not found".formatted(id, vm.name())));
  }
}
