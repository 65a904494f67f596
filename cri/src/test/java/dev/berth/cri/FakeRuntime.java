package dev.berth.cri;

import dev.berth.cri.v1.AttachRequest;
import dev.berth.cri.v1.AttachResponse;
import dev.berth.cri.v1.ExecRequest;
import dev.berth.cri.v1.ExecResponse;
import dev.berth.cri.v1.ExecSyncRequest;
import dev.berth.cri.v1.ExecSyncResponse;
import dev.berth.cri.v1.ListPodSandboxRequest;
import dev.berth.cri.v1.ListPodSandboxResponse;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PortForwardRequest;
import dev.berth.cri.v1.PortForwardResponse;
import dev.berth.cri.v1.RunPodSandboxRequest;
import dev.berth.cri.v1.RunPodSandboxResponse;
import dev.berth.cri.v1.RuntimeServiceGrpc;
import dev.berth.cri.v1.StatusRequest;
import dev.berth.cri.v1.StatusResponse;
import dev.berth.cri.v1.StopContainerRequest;
import dev.berth.cri.v1.StopContainerResponse;
import dev.berth.cri.v1.VersionRequest;
import dev.berth.cri.v1.VersionResponse;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A runtime that answers a few calls, with knobs for failures and hanging.
class FakeRuntime extends RuntimeServiceGrpc.RuntimeServiceImplBase {
  final CountDownLatch hanging = new CountDownLatch(1);
  final CountDownLatch cancelled = new CountDownLatch(1);
  volatile String apiVersion = "v1";
  volatile @Nullable Status failure;
  volatile boolean hang;
  volatile long secondsLeft;

  @Override
  public void version(VersionRequest request, StreamObserver<VersionResponse> replies) {
    answer(
        replies,
        VersionResponse.newBuilder()
            .setVersion("0.1.0")
            .setRuntimeName("fake")
            .setRuntimeVersion("1")
            .setRuntimeApiVersion(apiVersion)
            .build());
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusResponse> replies) {
    answer(replies, StatusResponse.getDefaultInstance());
  }

  @Override
  public void runPodSandbox(
      RunPodSandboxRequest request, StreamObserver<RunPodSandboxResponse> replies) {
    answer(replies, RunPodSandboxResponse.newBuilder().setPodSandboxId("sandbox-1").build());
  }

  @Override
  public void listPodSandbox(
      ListPodSandboxRequest request, StreamObserver<ListPodSandboxResponse> replies) {
    var sandbox = PodSandbox.newBuilder().setId("sandbox-1");
    answer(replies, ListPodSandboxResponse.newBuilder().addItems(sandbox).build());
  }

  @Override
  public void stopContainer(
      StopContainerRequest request, StreamObserver<StopContainerResponse> replies) {
    answer(replies, StopContainerResponse.getDefaultInstance());
  }

  @Override
  public void execSync(ExecSyncRequest request, StreamObserver<ExecSyncResponse> replies) {
    answer(replies, ExecSyncResponse.getDefaultInstance());
  }

  @Override
  public void exec(ExecRequest request, StreamObserver<ExecResponse> replies) {
    answer(replies, ExecResponse.newBuilder().setUrl("http://127.0.0.1:1/exec").build());
  }

  @Override
  public void attach(AttachRequest request, StreamObserver<AttachResponse> replies) {
    answer(replies, AttachResponse.newBuilder().setUrl("http://127.0.0.1:1/attach").build());
  }

  @Override
  public void portForward(PortForwardRequest request, StreamObserver<PortForwardResponse> replies) {
    answer(replies, PortForwardResponse.newBuilder().setUrl("http://127.0.0.1:1/ports").build());
  }

  private <R> void answer(StreamObserver<R> replies, R reply) {
    Deadline deadline = Context.current().getDeadline();
    secondsLeft =
        deadline == null ? -1 : Math.ceilDiv(deadline.timeRemaining(TimeUnit.MILLISECONDS), 1000);
    Status failing = failure;
    if (hang) {
      ((ServerCallStreamObserver<R>) replies).setOnCancelHandler(cancelled::countDown);
      hanging.countDown();
    } else if (failing != null) {
      replies.onError(failing.asRuntimeException());
    } else {
      replies.onNext(reply);
      replies.onCompleted();
    }
  }
}
