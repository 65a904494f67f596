package dev.berth.cri;

import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.vm.v1.CapabilitiesResponse;
import dev.berth.cri.vm.v1.CreateSnapshotRequest;
import dev.berth.cri.vm.v1.NetworkInterface;
import dev.berth.cri.vm.v1.NetworkInterfaceStatus;
import dev.berth.cri.vm.v1.OpenConsoleRequest;
import dev.berth.cri.vm.v1.Snapshot;
import dev.berth.cri.vm.v1.VirtualMachine;
import dev.berth.cri.vm.v1.VirtualMachineConfig;
import dev.berth.cri.vm.v1.VirtualMachineEvent;
import dev.berth.cri.vm.v1.VirtualMachineFilter;
import dev.berth.cri.vm.v1.VirtualMachineStats;
import dev.berth.cri.vm.v1.VirtualMachineStatusResponse;
import java.time.Duration;
import java.util.List;

/// A blocking client of the virtual machine contract. The rules of `RuntimeClient` apply.
///
/// The contract is Berth's own, see `cri/src/main/proto/berth/vm`; no upstream service has it.
public interface VmClient {
  /// Returns what the service can do.
  CapabilitiesResponse capabilities();

  /// Creates a virtual machine and returns its id.
  String create(String sandboxId, VirtualMachineConfig config, PodSandboxConfig sandboxConfig);

  void start(String id);

  /// Gives the guest time to shut down, and then cuts its power; with zero at once. Returns whether
  /// the power was cut.
  boolean stop(String id, Duration timeout);

  /// Gives the guest time to reboot, and then resets it; with zero at once. Returns whether it was
  /// reset.
  boolean reboot(String id, Duration timeout);

  /// Stops the processors of the guest and keeps its memory.
  void pause(String id);

  void resume(String id);

  /// Cuts the power if necessary and deletes all that belongs to the virtual machine: disks made
  /// for it, snapshots, interfaces. Disks that were handed in by host path stay.
  void remove(String id);

  List<VirtualMachine> list(VirtualMachineFilter filter);

  VirtualMachineStatusResponse status(String id, boolean verbose);

  VirtualMachineStats stats(String id);

  List<VirtualMachineStats> listStats(VirtualMachineFilter filter);

  /// Takes a snapshot. The caller gives up after the limit; zero means no limit.
  Snapshot createSnapshot(CreateSnapshotRequest request, Duration limit);

  /// Restores a snapshot. The caller gives up after the limit; zero means no limit.
  void restoreSnapshot(String id, String snapshotId, Duration limit);

  /// Lists the snapshots of one virtual machine, or of all for an empty id; oldest first.
  List<Snapshot> listSnapshots(String id);

  void deleteSnapshot(String id, String snapshotId);

  NetworkInterfaceStatus attachNetworkInterface(String id, NetworkInterface networkInterface);

  void detachNetworkInterface(String id, String name);

  List<NetworkInterfaceStatus> listNetworkInterfaces(String id);

  /// Returns the URL of the console's stream.
  String openConsole(OpenConsoleRequest request);

  /// Follows events until the service ends the stream or the thread is interrupted.
  ///
  /// @return false at once when the service has no such stream
  boolean followEvents(VirtualMachineFilter filter, EventReceiver<VirtualMachineEvent> events);
}
