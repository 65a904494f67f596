package dev.berth.cri;

import static dev.berth.cri.VmOperations.ATTACH_NETWORK_INTERFACE;
import static dev.berth.cri.VmOperations.CAPABILITIES;
import static dev.berth.cri.VmOperations.CREATE_SNAPSHOT;
import static dev.berth.cri.VmOperations.CREATE_VIRTUAL_MACHINE;
import static dev.berth.cri.VmOperations.DELETE_SNAPSHOT;
import static dev.berth.cri.VmOperations.DETACH_NETWORK_INTERFACE;
import static dev.berth.cri.VmOperations.GET_EVENTS;
import static dev.berth.cri.VmOperations.LIST_NETWORK_INTERFACES;
import static dev.berth.cri.VmOperations.LIST_SNAPSHOTS;
import static dev.berth.cri.VmOperations.LIST_VIRTUAL_MACHINES;
import static dev.berth.cri.VmOperations.LIST_VIRTUAL_MACHINE_STATS;
import static dev.berth.cri.VmOperations.OPEN_CONSOLE;
import static dev.berth.cri.VmOperations.PAUSE_VIRTUAL_MACHINE;
import static dev.berth.cri.VmOperations.REBOOT_VIRTUAL_MACHINE;
import static dev.berth.cri.VmOperations.REMOVE_VIRTUAL_MACHINE;
import static dev.berth.cri.VmOperations.RESTORE_SNAPSHOT;
import static dev.berth.cri.VmOperations.RESUME_VIRTUAL_MACHINE;
import static dev.berth.cri.VmOperations.START_VIRTUAL_MACHINE;
import static dev.berth.cri.VmOperations.STOP_VIRTUAL_MACHINE;
import static dev.berth.cri.VmOperations.VIRTUAL_MACHINE_STATS;
import static dev.berth.cri.VmOperations.VIRTUAL_MACHINE_STATUS;

import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.vm.v1.AttachNetworkInterfaceRequest;
import dev.berth.cri.vm.v1.CapabilitiesRequest;
import dev.berth.cri.vm.v1.CapabilitiesResponse;
import dev.berth.cri.vm.v1.CreateSnapshotRequest;
import dev.berth.cri.vm.v1.CreateVirtualMachineRequest;
import dev.berth.cri.vm.v1.DeleteSnapshotRequest;
import dev.berth.cri.vm.v1.DetachNetworkInterfaceRequest;
import dev.berth.cri.vm.v1.GetEventsRequest;
import dev.berth.cri.vm.v1.ListNetworkInterfacesRequest;
import dev.berth.cri.vm.v1.ListSnapshotsRequest;
import dev.berth.cri.vm.v1.ListVirtualMachineStatsRequest;
import dev.berth.cri.vm.v1.ListVirtualMachinesRequest;
import dev.berth.cri.vm.v1.NetworkInterface;
import dev.berth.cri.vm.v1.NetworkInterfaceStatus;
import dev.berth.cri.vm.v1.OpenConsoleRequest;
import dev.berth.cri.vm.v1.PauseVirtualMachineRequest;
import dev.berth.cri.vm.v1.RebootVirtualMachineRequest;
import dev.berth.cri.vm.v1.RemoveVirtualMachineRequest;
import dev.berth.cri.vm.v1.RestoreSnapshotRequest;
import dev.berth.cri.vm.v1.ResumeVirtualMachineRequest;
import dev.berth.cri.vm.v1.Snapshot;
import dev.berth.cri.vm.v1.StartVirtualMachineRequest;
import dev.berth.cri.vm.v1.StopVirtualMachineRequest;
import dev.berth.cri.vm.v1.VirtualMachine;
import dev.berth.cri.vm.v1.VirtualMachineConfig;
import dev.berth.cri.vm.v1.VirtualMachineEvent;
import dev.berth.cri.vm.v1.VirtualMachineFilter;
import dev.berth.cri.vm.v1.VirtualMachineStats;
import dev.berth.cri.vm.v1.VirtualMachineStatsRequest;
import dev.berth.cri.vm.v1.VirtualMachineStatusRequest;
import dev.berth.cri.vm.v1.VirtualMachineStatusResponse;
import io.grpc.CallOptions;
import java.time.Duration;
import java.util.List;

/// Builds the requests of the virtual machine contract. `CriCalls` makes the calls.
///
/// Calls that move data get long deadlines: creation and start that of a sandbox, snapshots what
/// their caller allows.
final class GrpcVmClient implements VmClient {
  private final CriCalls calls;
  private final CriDeadlines deadlines;

  GrpcVmClient(CriCalls calls, CriDeadlines deadlines) {
    this.calls = calls;
    this.deadlines = deadlines;
  }

  @Override
  public CapabilitiesResponse capabilities() {
    return call(CAPABILITIES, CapabilitiesRequest.getDefaultInstance());
  }

  /// Creation may copy disks first, so it gets the deadline of a sandbox.
  @Override
  public String create(
      String sandboxId, VirtualMachineConfig config, PodSandboxConfig sandboxConfig) {
    var request =
        CreateVirtualMachineRequest.newBuilder()
            .setPodSandboxId(sandboxId)
            .setConfig(config)
            .setSandboxConfig(sandboxConfig)
            .build();
    return calls.unary(CREATE_VIRTUAL_MACHINE, request, deadlines.sandbox()).getVirtualMachineId();
  }

  @Override
  public void start(String id) {
    var request = StartVirtualMachineRequest.newBuilder().setVirtualMachineId(id).build();
    calls.unary(START_VIRTUAL_MACHINE, request, deadlines.sandbox());
  }

  @Override
  public boolean stop(String id, Duration timeout) {
    var request =
        StopVirtualMachineRequest.newBuilder()
            .setVirtualMachineId(id)
            .setTimeout(timeout.toSeconds())
            .build();
    return calls.unary(STOP_VIRTUAL_MACHINE, request, deadlines.afterWaiting(timeout)).getForced();
  }

  @Override
  public boolean reboot(String id, Duration timeout) {
    var request =
        RebootVirtualMachineRequest.newBuilder()
            .setVirtualMachineId(id)
            .setTimeout(timeout.toSeconds())
            .build();
    return calls
        .unary(REBOOT_VIRTUAL_MACHINE, request, deadlines.afterWaiting(timeout))
        .getForced();
  }

  @Override
  public void pause(String id) {
    call(
        PAUSE_VIRTUAL_MACHINE,
        PauseVirtualMachineRequest.newBuilder().setVirtualMachineId(id).build());
  }

  @Override
  public void resume(String id) {
    call(
        RESUME_VIRTUAL_MACHINE,
        ResumeVirtualMachineRequest.newBuilder().setVirtualMachineId(id).build());
  }

  @Override
  public void remove(String id) {
    call(
        REMOVE_VIRTUAL_MACHINE,
        RemoveVirtualMachineRequest.newBuilder().setVirtualMachineId(id).build());
  }

  @Override
  public List<VirtualMachine> list(VirtualMachineFilter filter) {
    return call(
            LIST_VIRTUAL_MACHINES,
            ListVirtualMachinesRequest.newBuilder().setFilter(filter).build())
        .getVirtualMachinesList();
  }

  @Override
  public VirtualMachineStatusResponse status(String id, boolean verbose) {
    return call(
        VIRTUAL_MACHINE_STATUS,
        VirtualMachineStatusRequest.newBuilder()
            .setVirtualMachineId(id)
            .setVerbose(verbose)
            .build());
  }

  @Override
  public VirtualMachineStats stats(String id) {
    return call(
            VIRTUAL_MACHINE_STATS,
            VirtualMachineStatsRequest.newBuilder().setVirtualMachineId(id).build())
        .getStats();
  }

  @Override
  public List<VirtualMachineStats> listStats(VirtualMachineFilter filter) {
    return call(
            LIST_VIRTUAL_MACHINE_STATS,
            ListVirtualMachineStatsRequest.newBuilder().setFilter(filter).build())
        .getStatsList();
  }

  @Override
  public Snapshot createSnapshot(CreateSnapshotRequest request, Duration limit) {
    return calls.unary(CREATE_SNAPSHOT, request, within(limit)).getSnapshot();
  }

  @Override
  public void restoreSnapshot(String id, String snapshotId, Duration limit) {
    var request =
        RestoreSnapshotRequest.newBuilder()
            .setVirtualMachineId(id)
            .setSnapshotId(snapshotId)
            .build();
    calls.unary(RESTORE_SNAPSHOT, request, within(limit));
  }

  @Override
  public List<Snapshot> listSnapshots(String id) {
    return call(LIST_SNAPSHOTS, ListSnapshotsRequest.newBuilder().setVirtualMachineId(id).build())
        .getSnapshotsList();
  }

  @Override
  public void deleteSnapshot(String id, String snapshotId) {
    call(
        DELETE_SNAPSHOT,
        DeleteSnapshotRequest.newBuilder()
            .setVirtualMachineId(id)
            .setSnapshotId(snapshotId)
            .build());
  }

  @Override
  public NetworkInterfaceStatus attachNetworkInterface(
      String id, NetworkInterface networkInterface) {
    return call(
            ATTACH_NETWORK_INTERFACE,
            AttachNetworkInterfaceRequest.newBuilder()
                .setVirtualMachineId(id)
                .setInterface(networkInterface)
                .build())
        .getInterface();
  }

  @Override
  public void detachNetworkInterface(String id, String name) {
    call(
        DETACH_NETWORK_INTERFACE,
        DetachNetworkInterfaceRequest.newBuilder().setVirtualMachineId(id).setName(name).build());
  }

  @Override
  public List<NetworkInterfaceStatus> listNetworkInterfaces(String id) {
    return call(
            LIST_NETWORK_INTERFACES,
            ListNetworkInterfacesRequest.newBuilder().setVirtualMachineId(id).build())
        .getInterfacesList();
  }

  @Override
  public String openConsole(OpenConsoleRequest request) {
    return call(OPEN_CONSOLE, request).getUrl();
  }

  @Override
  public boolean followEvents(
      VirtualMachineFilter filter, EventReceiver<VirtualMachineEvent> events) {
    return calls.follow(
        GET_EVENTS, GetEventsRequest.newBuilder().setFilter(filter).build(), events);
  }

  /// A snapshot copies disks and memory, so only its caller knows how long it may take.
  private CallOptions within(Duration limit) {
    return limit.isPositive() ? deadlines.exactly(limit) : deadlines.unlimited();
  }

  private <Q, R> R call(CriOperation<Q, R> operation, Q request) {
    return calls.unary(operation, request, deadlines.ordinary());
  }
}
