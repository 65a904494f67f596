package dev.berth.sim.service;

import dev.berth.cri.serving.EventFollowers;
import dev.berth.cri.serving.GrpcAnswers;
import dev.berth.cri.v1.ContainerEventResponse;
import dev.berth.cri.v1.GetEventsRequest;
import dev.berth.cri.v1.ListPodSandboxRequest;
import dev.berth.cri.v1.ListPodSandboxResponse;
import dev.berth.cri.v1.PodSandboxStatusRequest;
import dev.berth.cri.v1.PodSandboxStatusResponse;
import dev.berth.cri.v1.RemovePodSandboxRequest;
import dev.berth.cri.v1.RemovePodSandboxResponse;
import dev.berth.cri.v1.RunPodSandboxRequest;
import dev.berth.cri.v1.RunPodSandboxResponse;
import dev.berth.cri.v1.RuntimeConfigRequest;
import dev.berth.cri.v1.RuntimeConfigResponse;
import dev.berth.cri.v1.StatusRequest;
import dev.berth.cri.v1.StatusResponse;
import dev.berth.cri.v1.StopPodSandboxRequest;
import dev.berth.cri.v1.StopPodSandboxResponse;
import dev.berth.cri.v1.StreamPodSandboxesRequest;
import dev.berth.cri.v1.StreamPodSandboxesResponse;
import dev.berth.cri.v1.UpdatePodSandboxResourcesRequest;
import dev.berth.cri.v1.UpdatePodSandboxResourcesResponse;
import dev.berth.cri.v1.UpdateRuntimeConfigRequest;
import dev.berth.cri.v1.UpdateRuntimeConfigResponse;
import dev.berth.cri.v1.VersionRequest;
import dev.berth.cri.v1.VersionResponse;
import io.grpc.stub.StreamObserver;

/// CRI's RuntimeService. The methods about the node, sandboxes and events are here; the
/// superclasses have the others.
///
/// The services only translate messages: checks and effects are in the model, faults in
/// [FaultInterceptor]. gRPC calls them on many threads at once.
public final class SimRuntimeService extends ContainerCalls {
  private final NodeInfo node;
  private final MachineVerbs verbs;
  private final VerboseDetails details;
  private final EventFollowers<ContainerEventResponse> events;

  public SimRuntimeService(
      NodeInfo node,
      MachineVerbs verbs,
      VerboseDetails details,
      StreamVerbs streams,
      EventFollowers<ContainerEventResponse> events) {
    super(verbs, details, streams);
    this.node = node;
    this.verbs = verbs;
    this.details = details;
    this.events = events;
  }

  /// Answers with all four texts, which clients require. A client also probes with this call which
  /// version of CRI a runtime has: an unknown service answers UNIMPLEMENTED.
  @Override
  public void version(VersionRequest request, StreamObserver<VersionResponse> answer) {
    GrpcAnswers.one(answer, node::version);
  }

  /// Reports RuntimeReady and NetworkReady, which CRI demands in every answer. The call succeeds
  /// even if a condition is false.
  @Override
  public void status(StatusRequest request, StreamObserver<StatusResponse> answer) {
    GrpcAnswers.one(answer, () -> node.status(request.getVerbose()));
  }

  /// Gives the kubelet the cgroup driver of the runtime (KEP-4033), so that both manage cgroups in
  /// the same way.
  @Override
  public void runtimeConfig(
      RuntimeConfigRequest request, StreamObserver<RuntimeConfigResponse> answer) {
    GrpcAnswers.one(answer, node::config);
  }

  /// Accepts the pod network of the node and ignores it: addresses come from the configuration.
  @Override
  public void updateRuntimeConfig(
      UpdateRuntimeConfigRequest request, StreamObserver<UpdateRuntimeConfigResponse> answer) {
    GrpcAnswers.one(answer, UpdateRuntimeConfigResponse::getDefaultInstance);
  }

  /// Answers when the sandbox is ready, with its network. There is no create step: a sandbox that
  /// cannot start does not exist afterwards.
  @Override
  public void runPodSandbox(
      RunPodSandboxRequest request, StreamObserver<RunPodSandboxResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            RunPodSandboxResponse.newBuilder()
                .setPodSandboxId(
                    verbs.sandboxes().run(request.getConfig(), request.getRuntimeHandler()))
                .build());
  }

  /// Stops the sandbox and its containers. An unknown id answers NOT_FOUND, as with containerd,
  /// although CRI asks for success; clients treat both as done.
  @Override
  public void stopPodSandbox(
      StopPodSandboxRequest request, StreamObserver<StopPodSandboxResponse> answer) {
    GrpcAnswers.done(
        answer,
        StopPodSandboxResponse.getDefaultInstance(),
        () -> verbs.sandboxes().stop(request.getPodSandboxId()));
  }

  /// Removes the sandbox with its containers, and succeeds for an unknown id.
  @Override
  public void removePodSandbox(
      RemovePodSandboxRequest request, StreamObserver<RemovePodSandboxResponse> answer) {
    GrpcAnswers.done(
        answer,
        RemovePodSandboxResponse.getDefaultInstance(),
        () -> verbs.sandboxes().remove(request.getPodSandboxId()));
  }

  @Override
  public void podSandboxStatus(
      PodSandboxStatusRequest request, StreamObserver<PodSandboxStatusResponse> answer) {
    GrpcAnswers.one(answer, () -> details.sandbox(request));
  }

  /// Lists sandboxes, stopped ones included, until they are removed.
  @Override
  public void listPodSandbox(
      ListPodSandboxRequest request, StreamObserver<ListPodSandboxResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            ListPodSandboxResponse.newBuilder()
                .addAllItems(verbs.inventory().sandboxes(request.getFilter()))
                .build());
  }

  /// Lists in several messages: a list of many pods would exceed the 16 MiB that clients accept.
  @Override
  public void streamPodSandboxes(
      StreamPodSandboxesRequest request, StreamObserver<StreamPodSandboxesResponse> answer) {
    GrpcAnswers.chunks(
        answer,
        verbs.inventory().sandboxes(request.getFilter()),
        chunk -> StreamPodSandboxesResponse.newBuilder().addAllPodSandboxes(chunk).build());
  }

  /// Announces a resize of the pod as a whole before its containers are resized.
  @Override
  public void updatePodSandboxResources(
      UpdatePodSandboxResourcesRequest request,
      StreamObserver<UpdatePodSandboxResourcesResponse> answer) {
    GrpcAnswers.done(
        answer,
        UpdatePodSandboxResourcesResponse.getDefaultInstance(),
        () -> verbs.sandboxes().update(request));
  }

  /// Streams events from now on (KEP-3386). Events before the call are lost: a client lists after
  /// it has connected.
  @Override
  public void getContainerEvents(
      GetEventsRequest request, StreamObserver<ContainerEventResponse> answer) {
    events.follow(answer, _ -> true);
  }
}
