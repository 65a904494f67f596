package dev.berth.cri;

import dev.berth.cri.vm.v1.AttachNetworkInterfaceRequest;
import dev.berth.cri.vm.v1.AttachNetworkInterfaceResponse;
import dev.berth.cri.vm.v1.CapabilitiesRequest;
import dev.berth.cri.vm.v1.CapabilitiesResponse;
import dev.berth.cri.vm.v1.CreateSnapshotRequest;
import dev.berth.cri.vm.v1.CreateSnapshotResponse;
import dev.berth.cri.vm.v1.CreateVirtualMachineRequest;
import dev.berth.cri.vm.v1.CreateVirtualMachineResponse;
import dev.berth.cri.vm.v1.DeleteSnapshotRequest;
import dev.berth.cri.vm.v1.DeleteSnapshotResponse;
import dev.berth.cri.vm.v1.DetachNetworkInterfaceRequest;
import dev.berth.cri.vm.v1.DetachNetworkInterfaceResponse;
import dev.berth.cri.vm.v1.GetEventsRequest;
import dev.berth.cri.vm.v1.ListNetworkInterfacesRequest;
import dev.berth.cri.vm.v1.ListNetworkInterfacesResponse;
import dev.berth.cri.vm.v1.ListSnapshotsRequest;
import dev.berth.cri.vm.v1.ListSnapshotsResponse;
import dev.berth.cri.vm.v1.ListVirtualMachineStatsRequest;
import dev.berth.cri.vm.v1.ListVirtualMachineStatsResponse;
import dev.berth.cri.vm.v1.ListVirtualMachinesRequest;
import dev.berth.cri.vm.v1.ListVirtualMachinesResponse;
import dev.berth.cri.vm.v1.OpenConsoleRequest;
import dev.berth.cri.vm.v1.OpenConsoleResponse;
import dev.berth.cri.vm.v1.PauseVirtualMachineRequest;
import dev.berth.cri.vm.v1.PauseVirtualMachineResponse;
import dev.berth.cri.vm.v1.RebootVirtualMachineRequest;
import dev.berth.cri.vm.v1.RebootVirtualMachineResponse;
import dev.berth.cri.vm.v1.RemoveVirtualMachineRequest;
import dev.berth.cri.vm.v1.RemoveVirtualMachineResponse;
import dev.berth.cri.vm.v1.RestoreSnapshotRequest;
import dev.berth.cri.vm.v1.RestoreSnapshotResponse;
import dev.berth.cri.vm.v1.ResumeVirtualMachineRequest;
import dev.berth.cri.vm.v1.ResumeVirtualMachineResponse;
import dev.berth.cri.vm.v1.StartVirtualMachineRequest;
import dev.berth.cri.vm.v1.StartVirtualMachineResponse;
import dev.berth.cri.vm.v1.StopVirtualMachineRequest;
import dev.berth.cri.vm.v1.StopVirtualMachineResponse;
import dev.berth.cri.vm.v1.VirtualMachineEvent;
import dev.berth.cri.vm.v1.VirtualMachineServiceGrpc;
import dev.berth.cri.vm.v1.VirtualMachineStatsRequest;
import dev.berth.cri.vm.v1.VirtualMachineStatsResponse;
import dev.berth.cri.vm.v1.VirtualMachineStatusRequest;
import dev.berth.cri.vm.v1.VirtualMachineStatusResponse;

/// The calls of the contract for virtual machines.
final class VmOperations {
  static final Operation<CapabilitiesRequest, CapabilitiesResponse> CAPABILITIES =
      Operation.of("vm_capabilities", VirtualMachineServiceGrpc.getCapabilitiesMethod());
  static final Operation<CreateVirtualMachineRequest, CreateVirtualMachineResponse>
      CREATE_VIRTUAL_MACHINE =
          Operation.of(
                  "create_virtual_machine",
                  VirtualMachineServiceGrpc.getCreateVirtualMachineMethod())
              .refusing(reply -> Replies.unless(reply.getVirtualMachineId(), "virtual_machine_id"));
  static final Operation<StartVirtualMachineRequest, StartVirtualMachineResponse>
      START_VIRTUAL_MACHINE =
          Operation.of(
              "start_virtual_machine", VirtualMachineServiceGrpc.getStartVirtualMachineMethod());
  static final Operation<StopVirtualMachineRequest, StopVirtualMachineResponse>
      STOP_VIRTUAL_MACHINE =
          Operation.of(
                  "stop_virtual_machine", VirtualMachineServiceGrpc.getStopVirtualMachineMethod())
              .doneWhenAbsent(StopVirtualMachineResponse.getDefaultInstance());
  static final Operation<RebootVirtualMachineRequest, RebootVirtualMachineResponse>
      REBOOT_VIRTUAL_MACHINE =
          Operation.of(
              "reboot_virtual_machine", VirtualMachineServiceGrpc.getRebootVirtualMachineMethod());
  static final Operation<PauseVirtualMachineRequest, PauseVirtualMachineResponse>
      PAUSE_VIRTUAL_MACHINE =
          Operation.of(
              "pause_virtual_machine", VirtualMachineServiceGrpc.getPauseVirtualMachineMethod());
  static final Operation<ResumeVirtualMachineRequest, ResumeVirtualMachineResponse>
      RESUME_VIRTUAL_MACHINE =
          Operation.of(
              "resume_virtual_machine", VirtualMachineServiceGrpc.getResumeVirtualMachineMethod());
  static final Operation<RemoveVirtualMachineRequest, RemoveVirtualMachineResponse>
      REMOVE_VIRTUAL_MACHINE =
          Operation.of(
                  "remove_virtual_machine",
                  VirtualMachineServiceGrpc.getRemoveVirtualMachineMethod())
              .doneWhenAbsent(RemoveVirtualMachineResponse.getDefaultInstance());
  static final Operation<ListVirtualMachinesRequest, ListVirtualMachinesResponse>
      LIST_VIRTUAL_MACHINES =
          Operation.of(
              "list_virtual_machines", VirtualMachineServiceGrpc.getListVirtualMachinesMethod());
  static final Operation<VirtualMachineStatusRequest, VirtualMachineStatusResponse>
      VIRTUAL_MACHINE_STATUS =
          Operation.of(
                  "virtual_machine_status",
                  VirtualMachineServiceGrpc.getVirtualMachineStatusMethod())
              .refusing(reply -> Replies.missingIn(reply.getStatus()));
  static final Operation<VirtualMachineStatsRequest, VirtualMachineStatsResponse>
      VIRTUAL_MACHINE_STATS =
          Operation.of(
              "virtual_machine_stats", VirtualMachineServiceGrpc.getVirtualMachineStatsMethod());
  static final Operation<ListVirtualMachineStatsRequest, ListVirtualMachineStatsResponse>
      LIST_VIRTUAL_MACHINE_STATS =
          Operation.of(
              "list_virtual_machine_stats",
              VirtualMachineServiceGrpc.getListVirtualMachineStatsMethod());
  static final Operation<CreateSnapshotRequest, CreateSnapshotResponse> CREATE_SNAPSHOT =
      Operation.of("create_snapshot", VirtualMachineServiceGrpc.getCreateSnapshotMethod())
          .refusing(reply -> Replies.unless(reply.getSnapshot().getId(), "snapshot.id"));
  static final Operation<RestoreSnapshotRequest, RestoreSnapshotResponse> RESTORE_SNAPSHOT =
      Operation.of("restore_snapshot", VirtualMachineServiceGrpc.getRestoreSnapshotMethod());
  static final Operation<ListSnapshotsRequest, ListSnapshotsResponse> LIST_SNAPSHOTS =
      Operation.of("list_snapshots", VirtualMachineServiceGrpc.getListSnapshotsMethod());
  static final Operation<DeleteSnapshotRequest, DeleteSnapshotResponse> DELETE_SNAPSHOT =
      Operation.of("delete_snapshot", VirtualMachineServiceGrpc.getDeleteSnapshotMethod())
          .doneWhenAbsent(DeleteSnapshotResponse.getDefaultInstance());
  static final Operation<AttachNetworkInterfaceRequest, AttachNetworkInterfaceResponse>
      ATTACH_NETWORK_INTERFACE =
          Operation.of(
              "attach_network_interface",
              VirtualMachineServiceGrpc.getAttachNetworkInterfaceMethod());
  static final Operation<DetachNetworkInterfaceRequest, DetachNetworkInterfaceResponse>
      DETACH_NETWORK_INTERFACE =
          Operation.of(
                  "detach_network_interface",
                  VirtualMachineServiceGrpc.getDetachNetworkInterfaceMethod())
              .doneWhenAbsent(DetachNetworkInterfaceResponse.getDefaultInstance());
  static final Operation<ListNetworkInterfacesRequest, ListNetworkInterfacesResponse>
      LIST_NETWORK_INTERFACES =
          Operation.of(
              "list_network_interfaces",
              VirtualMachineServiceGrpc.getListNetworkInterfacesMethod());
  static final Operation<OpenConsoleRequest, OpenConsoleResponse> OPEN_CONSOLE =
      Operation.of("open_console", VirtualMachineServiceGrpc.getOpenConsoleMethod())
          .refusing(reply -> Replies.unless(reply.getUrl(), "url"));
  static final Operation<GetEventsRequest, VirtualMachineEvent> GET_EVENTS =
      Operation.of("get_virtual_machine_events", VirtualMachineServiceGrpc.getGetEventsMethod());

  private VmOperations() {}
}
