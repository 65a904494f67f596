package dev.berth.bench.cri;

import dev.berth.cri.v1.ListPodSandboxRequest;
import dev.berth.cri.v1.ListPodSandboxResponse;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.cri.v1.PodSandboxState;
import dev.berth.cri.v1.RuntimeCondition;
import dev.berth.cri.v1.RuntimeHandler;
import dev.berth.cri.v1.RuntimeServiceGrpc;
import dev.berth.cri.v1.RuntimeStatus;
import dev.berth.cri.v1.StatusRequest;
import dev.berth.cri.v1.StatusResponse;
import dev.berth.cri.v1.VersionRequest;
import dev.berth.cri.v1.VersionResponse;
import io.grpc.stub.StreamObserver;

/// A runtime that answers three calls from memory, so that the benchmark measures only the way to
/// it. Answers are built once: the server's part of a call is as small as gRPC allows.
final class BenchRuntime extends RuntimeServiceGrpc.RuntimeServiceImplBase {
  private final VersionResponse version =
      VersionResponse.newBuilder()
          .setVersion("0.1.0")
          .setRuntimeName("bench")
          .setRuntimeVersion("1")
          .setRuntimeApiVersion("v1")
          .build();
  private final StatusResponse status =
      StatusResponse.newBuilder()
          .setStatus(
              RuntimeStatus.newBuilder()
                  .addConditions(condition("RuntimeReady"))
                  .addConditions(condition("NetworkReady")))
          // With handlers in the status, the registry needs no further call to discover them.
          .addRuntimeHandlers(RuntimeHandler.newBuilder().setName("runc"))
          .build();
  private final ListPodSandboxResponse sandboxes;

  BenchRuntime(int pods) {
    var list = ListPodSandboxResponse.newBuilder();
    for (int i = 0; i < pods; i++) {
      list.addItems(
          PodSandbox.newBuilder()
              // As long as the ids of containerd: the size of the answer is a part of the measured
              // cost.
              .setId("%064x".formatted(i))
              .setMetadata(
                  PodSandboxMetadata.newBuilder()
                      .setName("pod-" + i)
                      .setNamespace("default")
                      .setUid("recovered-" + i))
              .setState(PodSandboxState.SANDBOX_READY)
              .setRuntimeHandler("runc")
              .putLabels("io.kubernetes.pod.name", "pod-" + i)
              .putLabels("io.kubernetes.pod.namespace", "default"));
    }
    sandboxes = list.build();
  }

  @Override
  public void version(VersionRequest request, StreamObserver<VersionResponse> replies) {
    replies.onNext(version);
    replies.onCompleted();
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusResponse> replies) {
    replies.onNext(status);
    replies.onCompleted();
  }

  @Override
  public void listPodSandbox(
      ListPodSandboxRequest request, StreamObserver<ListPodSandboxResponse> replies) {
    replies.onNext(sandboxes);
    replies.onCompleted();
  }

  private static RuntimeCondition condition(String type) {
    return RuntimeCondition.newBuilder().setType(type).setStatus(true).build();
  }
}
