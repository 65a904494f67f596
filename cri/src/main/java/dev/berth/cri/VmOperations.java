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

/// The methods of the virtual machine contract.
///
/// The contract exists in one version, so no operation has an older name.
final class VmOperations {
  static final CriOperation<CapabilitiesRequest, CapabilitiesResponse> CAPABILITIES =
      CriOperation.of("vm_capabilities", VirtualMachineServiceGrpc.getCapabilitiesMethod());
  static final CriOperation<CreateVirtualMachineRequest, CreateVirtualMachineResponse>
      CREATE_VIRTUAL_MACHINE =
          CriOperation.of(
                  "create_virtual_machine",
                  VirtualMachineServiceGrpc.getCreateVirtualMachineMethod())
              .refusing(
                  reply -> ReplyCheck.unless(reply.getVirtualMachineId(), "virtual_machine_id"));
  static final CriOperation<StartVirtualMachineRequest, StartVirtualMachineResponse>
      START_VIRTUAL_MACHINE =
          CriOperation.of(
              "start_virtual_machine", VirtualMachineServiceGrpc.getStartVirtualMachineMethod());
  static final CriOperation<StopVirtualMachineRequest, StopVirtualMachineResponse>
      STOP_VIRTUAL_MACHINE =
          CriOperation.of(
                  "stop_virtual_machine", VirtualMachineServiceGrpc.getStopVirtualMachineMethod())
              .doneWhenAbsent(StopVirtualMachineResponse.getDefaultInstance());
  static final CriOperation<RebootVirtualMachineRequest, RebootVirtualMachineResponse>
      REBOOT_VIRTUAL_MACHINE =
          CriOperation.of(
              "reboot_virtual_machine", VirtualMachineServiceGrpc.getRebootVirtualMachineMethod());
  static final CriOperation<PauseVirtualMachineRequest, PauseVirtualMachineResponse>
      PAUSE_VIRTUAL_MACHINE =
          CriOperation.of(
              "pause_virtual_machine", VirtualMachineServiceGrpc.getPauseVirtualMachineMethod());
  static final CriOperation<ResumeVirtualMachineRequest, ResumeVirtualMachineResponse>
      RESUME_VIRTUAL_MACHINE =
          CriOperation.of(
              "resume_virtual_machine", VirtualMachineServiceGrpc.getResumeVirtualMachineMethod());
  static final CriOperation<RemoveVirtualMachineRequest, RemoveVirtualMachineResponse>
      REMOVE_VIRTUAL_MACHINE =
          CriOperation.of(
                  "remove_virtual_machine",
                  VirtualMachineServiceGrpc.getRemoveVirtualMachineMethod())
              .doneWhenAbsent(RemoveVirtualMachineResponse.getDefaultInstance());
  static final CriOperation<ListVirtualMachinesRequest, ListVirtualMachinesResponse>
      LIST_VIRTUAL_MACHINES =
          CriOperation.of(
              "list_virtual_machines", VirtualMachineServiceGrpc.getListVirtualMachinesMethod());
  static final CriOperation<VirtualMachineStatusRequest, VirtualMachineStatusResponse>
      VIRTUAL_MACHINE_STATUS =
          CriOperation.of(
                  "virtual_machine_status",
                  VirtualMachineServiceGrpc.getVirtualMachineStatusMethod())
              .refusing(reply -> ReplyCheck.missingIn(reply.getStatus()));
  static final CriOperation<VirtualMachineStatsRequest, VirtualMachineStatsResponse>
      VIRTUAL_MACHINE_STATS =
          CriOperation.of(
              "virtual_machine_stats", VirtualMachineServiceGrpc.getVirtualMachineStatsMethod());
  static final CriOperation<ListVirtualMachineStatsRequest, ListVirtualMachineStatsResponse>
      LIST_VIRTUAL_MACHINE_STATS =
          CriOperation.of(
              "list_virtual_machine_stats",
              VirtualMachineServiceGrpc.getListVirtualMachineStatsMethod());
  static final CriOperation<CreateSnapshotRequest, CreateSnapshotResponse> CREATE_SNAPSHOT =
      CriOperation.of("create_snapshot", VirtualMachineServiceGrpc.getCreateSnapshotMethod())
          .refusing(reply -> ReplyCheck.unless(reply.getSnapshot().getId(), "snapshot.id"));
  static final CriOperation<RestoreSnapshotRequest, RestoreSnapshotResponse> RESTORE_SNAPSHOT =
      CriOperation.of("restore_snapshot", VirtualMachineServiceGrpc.getRestoreSnapshotMethod());
  static final CriOperation<ListSnapshotsRequest, ListSnapshotsResponse> LIST_SNAPSHOTS =
      CriOperation.of("list_snapshots", VirtualMachineServiceGrpc.getListSnapshotsMethod());
  static final CriOperation<DeleteSnapshotRequest, DeleteSnapshotResponse> DELETE_SNAPSHOT =
      CriOperation.of("delete_snapshot", VirtualMachineServiceGrpc.getDeleteSnapshotMethod())
          .doneWhenAbsent(DeleteSnapshotResponse.getDefaultInstance());
  static final CriOperation<AttachNetworkInterfaceRequest, AttachNetworkInterfaceResponse>
      ATTACH_NETWORK_INTERFACE =
          CriOperation.of(
              "attach_network_interface",
              VirtualMachineServiceGrpc.getAttachNetworkInterfaceMethod());
  static final CriOperation<DetachNetworkInterfaceRequest, DetachNetworkInterfaceResponse>
      DETACH_NETWORK_INTERFACE =
          CriOperation.of(
                  "detach_network_interface",
                  VirtualMachineServiceGrpc.getDetachNetworkInterfaceMethod())
              .doneWhenAbsent(DetachNetworkInterfaceResponse.getDefaultInstance());
  static final CriOperation<ListNetworkInterfacesRequest, ListNetworkInterfacesResponse>
      LIST_NETWORK_INTERFACES =
          CriOperation.of(
              "list_network_interfaces",
              VirtualMachineServiceGrpc.getListNetworkInterfacesMethod());
  static final CriOperation<OpenConsoleRequest, OpenConsoleResponse> OPEN_CONSOLE =
      CriOperation.of("open_console", VirtualMachineServiceGrpc.getOpenConsoleMethod())
          .refusing(reply -> ReplyCheck.unless(reply.getUrl(), "url"));
  static final CriOperation<GetEventsRequest, VirtualMachineEvent> GET_EVENTS =
      CriOperation.of("get_virtual_machine_events", VirtualMachineServiceGrpc.getGetEventsMethod());

  private VmOperations() {}
}
