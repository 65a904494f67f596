package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.vm.v1.CreateSnapshotRequest;
import dev.berth.cri.vm.v1.CreateVirtualMachineRequest;
import dev.berth.cri.vm.v1.CreateVirtualMachineResponse;
import dev.berth.cri.vm.v1.GetEventsRequest;
import dev.berth.cri.vm.v1.StopVirtualMachineRequest;
import dev.berth.cri.vm.v1.StopVirtualMachineResponse;
import dev.berth.cri.vm.v1.VirtualMachineConfig;
import dev.berth.cri.vm.v1.VirtualMachineEvent;
import dev.berth.cri.vm.v1.VirtualMachineFilter;
import dev.berth.cri.vm.v1.VirtualMachineServiceGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class VmClientTest {
  private final Services services = new Services();
  private final VmClient machines = services.inProcess(new FakeMachines()).virtualMachines();

  @AfterEach
  void close() {
    services.close();
  }

  @Test
  void aVirtualMachineIsCreatedInItsSandbox() {
    assertThat(
            machines.create(
                "sandbox-1",
                VirtualMachineConfig.getDefaultInstance(),
                PodSandboxConfig.getDefaultInstance()))
        .isEqualTo("vm-in-sandbox-1");
  }

  @Test
  void stoppingTellsWhetherThePowerWasCut() {
    assertThat(machines.stop("vm", Duration.ZERO)).isTrue();
    assertThat(machines.stop("vm", Duration.ofSeconds(30))).isFalse();
    assertThat(machines.stop("gone", Duration.ZERO)).isFalse();
  }

  @Test
  void whatTheHypervisorCannotDoIsUnimplemented() {
    var request = CreateSnapshotRequest.newBuilder().setVirtualMachineId("vm").build();

    assertThatThrownBy(() -> machines.createSnapshot(request, Duration.ZERO))
        .isInstanceOfSatisfying(CriException.class, e -> assertThat(e.isUnimplemented()).isTrue());
  }

  @Test
  void eventsAreFollowed() {
    var seen = new ArrayList<String>();

    machines.followEvents(
        VirtualMachineFilter.newBuilder().setId("vm").build(),
        event -> seen.add(event.getVirtualMachineId()));

    assertThat(seen).containsExactly("vm");
  }

  private static final class FakeMachines
      extends VirtualMachineServiceGrpc.VirtualMachineServiceImplBase {
    @Override
    public void createVirtualMachine(
        CreateVirtualMachineRequest request, StreamObserver<CreateVirtualMachineResponse> replies) {
      replies.onNext(
          CreateVirtualMachineResponse.newBuilder()
              .setVirtualMachineId("vm-in-" + request.getPodSandboxId())
              .build());
      replies.onCompleted();
    }

    @Override
    public void stopVirtualMachine(
        StopVirtualMachineRequest request, StreamObserver<StopVirtualMachineResponse> replies) {
      if (request.getVirtualMachineId().equals("gone")) {
        replies.onError(Status.NOT_FOUND.asRuntimeException());
        return;
      }
      boolean forced = request.getTimeout() == 0;
      replies.onNext(StopVirtualMachineResponse.newBuilder().setForced(forced).build());
      replies.onCompleted();
    }

    @Override
    public void getEvents(GetEventsRequest request, StreamObserver<VirtualMachineEvent> events) {
      String id = request.getFilter().getId();
      events.onNext(VirtualMachineEvent.newBuilder().setVirtualMachineId(id).build());
      events.onCompleted();
    }
  }
}
