package dev.berth.agent.runtimes.testing;

import dev.berth.agent.runtimes.OwnSandboxes;
import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerAttributes;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ContainerStats;
import dev.berth.cri.v1.CpuUsage;
import dev.berth.cri.v1.ListContainerStatsRequest;
import dev.berth.cri.v1.ListContainerStatsResponse;
import dev.berth.cri.v1.ListContainersRequest;
import dev.berth.cri.v1.ListContainersResponse;
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
import dev.berth.cri.v1.UInt64Value;
import dev.berth.cri.v1.VersionRequest;
import dev.berth.cri.v1.VersionResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A runtime that tells how it is and which sandboxes it has; every field is a knob.
public final class FakeRuntime extends RuntimeServiceGrpc.RuntimeServiceImplBase {
  public final AtomicInteger statusCalls = new AtomicInteger();
  public final AtomicInteger verboseCalls = new AtomicInteger();
  public final AtomicInteger versionCalls = new AtomicInteger();
  public final AtomicInteger cancelledCalls = new AtomicInteger();
  public final List<PodSandbox> sandboxes = new CopyOnWriteArrayList<>();
  public final List<Container> containers = new CopyOnWriteArrayList<>();
  public final List<ContainerStats> stats = new CopyOnWriteArrayList<>();
  public volatile String version = "1.0";
  public volatile List<String> handlers = List.of("", "runc");
  public volatile Map<String, String> info = Map.of();
  public volatile boolean computeReady = true;
  public volatile boolean networkReady = true;
  public volatile boolean hangs;
  public volatile @Nullable Status failure;
  public volatile @Nullable Status listFailure;

  public FakeRuntime withHandlers(String... names) {
    handlers = List.of(names);
    return this;
  }

  public FakeRuntime withSandbox(String podUid, PodSandboxState state, long createdAt) {
    sandboxes.add(
        PodSandbox.newBuilder()
            .setId("sandbox-of-" + podUid)
            .setMetadata(PodSandboxMetadata.newBuilder().setUid(podUid).setName(podUid))
            .setState(state)
            .setCreatedAt(createdAt)
            .setRuntimeHandler("runc")
            .build());
    return this;
  }

  /// As the agent of a node makes it.
  public FakeRuntime withSandbox(String podUid, OwnSandboxes maker) {
    sandboxes.add(
        PodSandbox.newBuilder()
            .setId("sandbox-of-" + podUid)
            .setMetadata(PodSandboxMetadata.newBuilder().setUid(podUid).setName(podUid))
            .putAllLabels(maker.labels())
            .putLabels("io.kubernetes.pod.uid", podUid)
            .build());
    return this;
  }

  @Override
  public void version(VersionRequest request, StreamObserver<VersionResponse> replies) {
    versionCalls.incrementAndGet();
    answer(
        replies,
        VersionResponse.newBuilder()
            .setVersion("0.1.0")
            .setRuntimeName("fake")
            .setRuntimeVersion(version)
            .setRuntimeApiVersion("v1")
            .build());
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusResponse> replies) {
    (request.getVerbose() ? verboseCalls : statusCalls).incrementAndGet();
    var reply = StatusResponse.newBuilder();
    reply.setStatus(
        RuntimeStatus.newBuilder()
            .addConditions(condition("RuntimeReady", computeReady))
            .addConditions(condition("NetworkReady", networkReady)));
    handlers.forEach(name -> reply.addRuntimeHandlers(RuntimeHandler.newBuilder().setName(name)));
    if (request.getVerbose()) {
      reply.putAllInfo(info);
    }
    answer(replies, reply.build());
  }

  @Override
  public void listPodSandbox(
      ListPodSandboxRequest request, StreamObserver<ListPodSandboxResponse> replies) {
    Status failing = listFailure;
    if (failing != null) {
      replies.onError(failing.asRuntimeException());
    } else {
      answer(replies, ListPodSandboxResponse.newBuilder().addAllItems(sandboxes).build());
    }
  }

  /// Adds an instance of a container, which used some processor time.
  public FakeRuntime withContainer(
      String id, String podUid, String name, ContainerState state, long createdAt, long nanos) {
    Map<String, String> labels =
        Map.of("io.kubernetes.pod.uid", podUid, "io.kubernetes.container.name", name);
    containers.add(
        Container.newBuilder()
            .setId(id)
            .setState(state)
            .setCreatedAt(createdAt)
            .putAllLabels(labels)
            .build());
    stats.add(
        ContainerStats.newBuilder()
            .setAttributes(ContainerAttributes.newBuilder().setId(id).putAllLabels(labels))
            .setCpu(
                CpuUsage.newBuilder()
                    .setUsageCoreNanoSeconds(UInt64Value.newBuilder().setValue(nanos)))
            .build());
    return this;
  }

  @Override
  public void listContainers(
      ListContainersRequest request, StreamObserver<ListContainersResponse> replies) {
    answer(replies, ListContainersResponse.newBuilder().addAllContainers(containers).build());
  }

  @Override
  public void listContainerStats(
      ListContainerStatsRequest request, StreamObserver<ListContainerStatsResponse> replies) {
    answer(replies, ListContainerStatsResponse.newBuilder().addAllStats(stats).build());
  }

  private static RuntimeCondition condition(String type, boolean status) {
    return RuntimeCondition.newBuilder()
        .setType(type)
        .setStatus(status)
        .setReason(status ? "" : type + "IsFalse")
        .setMessage(status ? "" : "for a test")
        .build();
  }

  private <R> void answer(StreamObserver<R> replies, R reply) {
    Status failing = failure;
    if (hangs) {
      ((ServerCallStreamObserver<R>) replies).setOnCancelHandler(cancelledCalls::incrementAndGet);
    } else if (failing != null) {
      replies.onError(failing.asRuntimeException());
    } else {
      replies.onNext(reply);
      replies.onCompleted();
    }
  }
}
