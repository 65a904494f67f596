package dev.berth.sim.vm;

import dev.berth.cri.serving.EventFollowers;
import dev.berth.cri.serving.GrpcAnswers;
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
import dev.berth.cri.vm.v1.VirtualMachineServiceGrpc.VirtualMachineServiceImplBase;
import dev.berth.cri.vm.v1.VirtualMachineStatsRequest;
import dev.berth.cri.vm.v1.VirtualMachineStatsResponse;
import dev.berth.cri.vm.v1.VirtualMachineStatusRequest;
import dev.berth.cri.vm.v1.VirtualMachineStatusResponse;
import dev.berth.sim.model.SandboxListener;
import dev.berth.sim.model.SimMachine;
import dev.berth.sim.model.SimSandbox;
import dev.berth.sim.service.GrpcCaller;
import io.grpc.stub.StreamObserver;
import java.time.Duration;

/// The contract for virtual machines: maps each call to the model. The class is long because the
/// contract is.
///
/// As a listener of sandboxes it ends and removes virtual machines together with their sandbox.
public final class SimVmService extends VirtualMachineServiceImplBase implements SandboxListener {
  private final SimVms vms;
  private final VmRules rules;
  private final VmCreation creation;
  private final VmLifecycle life;
  private final VmSnapshots snapshots;
  private final VmNetwork network;
  private final VmStatistics statistics;
  private final VmConsole console;
  private final EventFollowers<VirtualMachineEvent> followers;

  public SimVmService(SimMachine machine, VmConsole.Consoles consoles) {
    this.vms = new SimVms(machine);
    this.rules = new VmRules(machine.knobs().profile());
    this.network = new VmNetwork(vms, rules);
    this.creation = new VmCreation(vms, rules, network);
    this.life = new VmLifecycle(vms);
    this.snapshots = new VmSnapshots(vms);
    this.statistics = new VmStatistics(vms);
    this.console = new VmConsole(vms, consoles);
    this.followers = new EventFollowers<>(vms::listen, vms::unlisten);
    machine.listen(this);
  }

  /// Cuts the power of the sandbox's machine. Called under the machine's lock.
  @Override
  public void stopped(SimSandbox sandbox) {
    life.cutPowerIn(sandbox);
  }

  @Override
  public void removed(SimSandbox sandbox) {
    life.removeIn(sandbox);
  }

  /// Says what requests are accepted. An agent asks before it relies on a feature, so that the
  /// answer must match the checks.
  @Override
  public void capabilities(
      CapabilitiesRequest request, StreamObserver<CapabilitiesResponse> answer) {
    GrpcAnswers.one(answer, rules::capabilities);
  }

  /// Prepares a machine in a ready sandbox; its guest does not run yet.
  @Override
  public void createVirtualMachine(
      CreateVirtualMachineRequest request, StreamObserver<CreateVirtualMachineResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            CreateVirtualMachineResponse.newBuilder()
                .setVirtualMachineId(
                    creation.create(request.getPodSandboxId(), request.getConfig()))
                .build());
  }

  /// Boots a machine that does not run; one that runs already is a success.
  @Override
  public void startVirtualMachine(
      StartVirtualMachineRequest request, StreamObserver<StartVirtualMachineResponse> answer) {
    GrpcAnswers.done(
        answer,
        StartVirtualMachineResponse.getDefaultInstance(),
        () -> life.start(request.getVirtualMachineId(), request.getPaused()));
  }

  /// Asks the guest to shut down and cuts the power after the timeout. The answer says which of
  /// both ended it, because only a shutdown leaves clean file systems.
  @Override
  public void stopVirtualMachine(
      StopVirtualMachineRequest request, StreamObserver<StopVirtualMachineResponse> answer) {
    Duration timeout = Duration.ofSeconds(request.getTimeout());
    GrpcAnswers.one(
        answer,
        () ->
            StopVirtualMachineResponse.newBuilder()
                .setForced(life.stop(request.getVirtualMachineId(), timeout, GrpcCaller.current()))
                .build());
  }

  /// Reboots the guest, or resets it after the timeout; id, disks and interfaces stay.
  @Override
  public void rebootVirtualMachine(
      RebootVirtualMachineRequest request, StreamObserver<RebootVirtualMachineResponse> answer) {
    Duration timeout = Duration.ofSeconds(request.getTimeout());
    GrpcAnswers.one(
        answer,
        () ->
            RebootVirtualMachineResponse.newBuilder()
                .setForced(
                    life.reboot(request.getVirtualMachineId(), timeout, GrpcCaller.current()))
                .build());
  }

  /// Halts the processors; a paused guest cannot shut down, so that a stop cuts its power.
  @Override
  public void pauseVirtualMachine(
      PauseVirtualMachineRequest request, StreamObserver<PauseVirtualMachineResponse> answer) {
    GrpcAnswers.done(
        answer,
        PauseVirtualMachineResponse.getDefaultInstance(),
        () -> life.pause(request.getVirtualMachineId()));
  }

  @Override
  public void resumeVirtualMachine(
      ResumeVirtualMachineRequest request, StreamObserver<ResumeVirtualMachineResponse> answer) {
    GrpcAnswers.done(
        answer,
        ResumeVirtualMachineResponse.getDefaultInstance(),
        () -> life.resume(request.getVirtualMachineId()));
  }

  /// Removes a machine with its snapshots and interfaces, and succeeds for an unknown id.
  @Override
  public void removeVirtualMachine(
      RemoveVirtualMachineRequest request, StreamObserver<RemoveVirtualMachineResponse> answer) {
    GrpcAnswers.done(
        answer,
        RemoveVirtualMachineResponse.getDefaultInstance(),
        () -> life.remove(request.getVirtualMachineId()));
  }

  /// Lists machines in one state of the model: the lock is held for the whole list.
  @Override
  public void listVirtualMachines(
      ListVirtualMachinesRequest request, StreamObserver<ListVirtualMachinesResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            vms.machine.locked(
                () ->
                    ListVirtualMachinesResponse.newBuilder()
                        .addAllVirtualMachines(
                            vms.matching(request.getFilter()).stream().map(VmViews::item).toList())
                        .build()));
  }

  @Override
  public void virtualMachineStatus(
      VirtualMachineStatusRequest request, StreamObserver<VirtualMachineStatusResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            vms.machine.locked(
                () ->
                    VirtualMachineStatusResponse.newBuilder()
                        .setStatus(VmViews.status(vms.find(request.getVirtualMachineId())))
                        .build()));
  }

  /// Answers for a machine that is off too, without figures.
  @Override
  public void virtualMachineStats(
      VirtualMachineStatsRequest request, StreamObserver<VirtualMachineStatsResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            VirtualMachineStatsResponse.newBuilder()
                .setStats(statistics.of(request.getVirtualMachineId()))
                .build());
  }

  @Override
  public void listVirtualMachineStats(
      ListVirtualMachineStatsRequest request,
      StreamObserver<ListVirtualMachineStatsResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            ListVirtualMachineStatsResponse.newBuilder()
                .addAllStats(statistics.list(request.getFilter()))
                .build());
  }

  /// Streams events from now on. Events are no log: a client lists after it has connected.
  @Override
  public void getEvents(GetEventsRequest request, StreamObserver<VirtualMachineEvent> answer) {
    followers.follow(answer, new EventFilter(request.getFilter())::fits);
  }

  @Override
  public void createSnapshot(
      CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> answer) {
    GrpcAnswers.one(
        answer,
        () -> CreateSnapshotResponse.newBuilder().setSnapshot(snapshots.create(request)).build());
  }

  @Override
  public void restoreSnapshot(
      RestoreSnapshotRequest request, StreamObserver<RestoreSnapshotResponse> answer) {
    GrpcAnswers.done(
        answer,
        RestoreSnapshotResponse.getDefaultInstance(),
        () -> snapshots.restore(request.getVirtualMachineId(), request.getSnapshotId()));
  }

  @Override
  public void listSnapshots(
      ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> answer) {
    GrpcAnswers.one(
        answer,
        () -> ListSnapshotsResponse.newBuilder().addAllSnapshots(snapshots.list(request)).build());
  }

  @Override
  public void deleteSnapshot(
      DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> answer) {
    GrpcAnswers.done(
        answer,
        DeleteSnapshotResponse.getDefaultInstance(),
        () -> snapshots.delete(request.getVirtualMachineId(), request.getSnapshotId()));
  }

  /// Answers with the interface as it became: name, address and model are filled in.
  @Override
  public void attachNetworkInterface(
      AttachNetworkInterfaceRequest request,
      StreamObserver<AttachNetworkInterfaceResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            AttachNetworkInterfaceResponse.newBuilder()
                .setInterface(network.attach(request.getVirtualMachineId(), request.getInterface()))
                .build());
  }

  @Override
  public void detachNetworkInterface(
      DetachNetworkInterfaceRequest request,
      StreamObserver<DetachNetworkInterfaceResponse> answer) {
    GrpcAnswers.done(
        answer,
        DetachNetworkInterfaceResponse.getDefaultInstance(),
        () -> network.detach(request.getVirtualMachineId(), request.getName()));
  }

  @Override
  public void listNetworkInterfaces(
      ListNetworkInterfacesRequest request, StreamObserver<ListNetworkInterfacesResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            ListNetworkInterfacesResponse.newBuilder()
                .addAllInterfaces(network.list(request.getVirtualMachineId()))
                .build());
  }

  /// Prepares a serial console and answers with its URL, as CRI's Attach does.
  @Override
  public void openConsole(OpenConsoleRequest request, StreamObserver<OpenConsoleResponse> answer) {
    GrpcAnswers.one(
        answer, () -> OpenConsoleResponse.newBuilder().setUrl(console.open(request)).build());
  }
}
