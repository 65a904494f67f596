package dev.berth.sim.service;

import dev.berth.cri.v1.AttachRequest;
import dev.berth.cri.v1.AttachResponse;
import dev.berth.cri.v1.CheckpointContainerRequest;
import dev.berth.cri.v1.CheckpointContainerResponse;
import dev.berth.cri.v1.ContainerEventResponse;
import dev.berth.cri.v1.ContainerStatsRequest;
import dev.berth.cri.v1.ContainerStatsResponse;
import dev.berth.cri.v1.ContainerStatusRequest;
import dev.berth.cri.v1.ContainerStatusResponse;
import dev.berth.cri.v1.CreateContainerRequest;
import dev.berth.cri.v1.CreateContainerResponse;
import dev.berth.cri.v1.ExecRequest;
import dev.berth.cri.v1.ExecResponse;
import dev.berth.cri.v1.ExecSyncRequest;
import dev.berth.cri.v1.ExecSyncResponse;
import dev.berth.cri.v1.GetEventsRequest;
import dev.berth.cri.v1.ListContainerStatsRequest;
import dev.berth.cri.v1.ListContainerStatsResponse;
import dev.berth.cri.v1.ListContainersRequest;
import dev.berth.cri.v1.ListContainersResponse;
import dev.berth.cri.v1.ListMetricDescriptorsRequest;
import dev.berth.cri.v1.ListMetricDescriptorsResponse;
import dev.berth.cri.v1.ListPodSandboxMetricsRequest;
import dev.berth.cri.v1.ListPodSandboxMetricsResponse;
import dev.berth.cri.v1.ListPodSandboxRequest;
import dev.berth.cri.v1.ListPodSandboxResponse;
import dev.berth.cri.v1.ListPodSandboxStatsRequest;
import dev.berth.cri.v1.ListPodSandboxStatsResponse;
import dev.berth.cri.v1.PodSandboxStatsRequest;
import dev.berth.cri.v1.PodSandboxStatsResponse;
import dev.berth.cri.v1.PodSandboxStatusRequest;
import dev.berth.cri.v1.PodSandboxStatusResponse;
import dev.berth.cri.v1.PortForwardRequest;
import dev.berth.cri.v1.PortForwardResponse;
import dev.berth.cri.v1.RemoveContainerRequest;
import dev.berth.cri.v1.RemoveContainerResponse;
import dev.berth.cri.v1.RemovePodSandboxRequest;
import dev.berth.cri.v1.RemovePodSandboxResponse;
import dev.berth.cri.v1.ReopenContainerLogRequest;
import dev.berth.cri.v1.ReopenContainerLogResponse;
import dev.berth.cri.v1.RunPodSandboxRequest;
import dev.berth.cri.v1.RunPodSandboxResponse;
import dev.berth.cri.v1.RuntimeConfigRequest;
import dev.berth.cri.v1.RuntimeConfigResponse;
import dev.berth.cri.v1.RuntimeServiceGrpc.RuntimeServiceImplBase;
import dev.berth.cri.v1.StartContainerRequest;
import dev.berth.cri.v1.StartContainerResponse;
import dev.berth.cri.v1.StatusRequest;
import dev.berth.cri.v1.StatusResponse;
import dev.berth.cri.v1.StopContainerRequest;
import dev.berth.cri.v1.StopContainerResponse;
import dev.berth.cri.v1.StopPodSandboxRequest;
import dev.berth.cri.v1.StopPodSandboxResponse;
import dev.berth.cri.v1.StreamContainerStatsRequest;
import dev.berth.cri.v1.StreamContainerStatsResponse;
import dev.berth.cri.v1.StreamContainersRequest;
import dev.berth.cri.v1.StreamContainersResponse;
import dev.berth.cri.v1.StreamPodSandboxMetricsRequest;
import dev.berth.cri.v1.StreamPodSandboxMetricsResponse;
import dev.berth.cri.v1.StreamPodSandboxStatsRequest;
import dev.berth.cri.v1.StreamPodSandboxStatsResponse;
import dev.berth.cri.v1.StreamPodSandboxesRequest;
import dev.berth.cri.v1.StreamPodSandboxesResponse;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import dev.berth.cri.v1.UpdateContainerResourcesResponse;
import dev.berth.cri.v1.UpdatePodSandboxResourcesRequest;
import dev.berth.cri.v1.UpdatePodSandboxResourcesResponse;
import dev.berth.cri.v1.UpdateRuntimeConfigRequest;
import dev.berth.cri.v1.UpdateRuntimeConfigResponse;
import dev.berth.cri.v1.VersionRequest;
import dev.berth.cri.v1.VersionResponse;
import io.grpc.stub.StreamObserver;
import java.time.Duration;

/// CRI's RuntimeService: who answers which call. Long because the contract is.
public final class SimRuntimeService extends RuntimeServiceImplBase {
  private final NodeInfo node;
  private final Verbs verbs;
  private final Details details;
  private final StreamVerbs streams;
  private final Followers<ContainerEventResponse> events;

  public SimRuntimeService(
      NodeInfo node,
      Verbs verbs,
      Details details,
      StreamVerbs streams,
      Followers<ContainerEventResponse> events) {
    this.node = node;
    this.verbs = verbs;
    this.details = details;
    this.streams = streams;
    this.events = events;
  }

  @Override
  public void version(VersionRequest request, StreamObserver<VersionResponse> answer) {
    Answers.one(answer, node::version);
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusResponse> answer) {
    Answers.one(answer, () -> node.status(request.getVerbose()));
  }

  @Override
  public void runtimeConfig(
      RuntimeConfigRequest request, StreamObserver<RuntimeConfigResponse> answer) {
    Answers.one(answer, node::config);
  }

  @Override
  public void updateRuntimeConfig(
      UpdateRuntimeConfigRequest request, StreamObserver<UpdateRuntimeConfigResponse> answer) {
    Answers.one(answer, UpdateRuntimeConfigResponse::getDefaultInstance);
  }

  @Override
  public void runPodSandbox(
      RunPodSandboxRequest request, StreamObserver<RunPodSandboxResponse> answer) {
    Answers.one(
        answer,
        () ->
            RunPodSandboxResponse.newBuilder()
                .setPodSandboxId(
                    verbs.sandboxes().run(request.getConfig(), request.getRuntimeHandler()))
                .build());
  }

  @Override
  public void stopPodSandbox(
      StopPodSandboxRequest request, StreamObserver<StopPodSandboxResponse> answer) {
    Answers.done(
        answer,
        StopPodSandboxResponse.getDefaultInstance(),
        () -> verbs.sandboxes().stop(request.getPodSandboxId()));
  }

  @Override
  public void removePodSandbox(
      RemovePodSandboxRequest request, StreamObserver<RemovePodSandboxResponse> answer) {
    Answers.done(
        answer,
        RemovePodSandboxResponse.getDefaultInstance(),
        () -> verbs.sandboxes().remove(request.getPodSandboxId()));
  }

  @Override
  public void podSandboxStatus(
      PodSandboxStatusRequest request, StreamObserver<PodSandboxStatusResponse> answer) {
    Answers.one(answer, () -> details.sandbox(request));
  }

  @Override
  public void listPodSandbox(
      ListPodSandboxRequest request, StreamObserver<ListPodSandboxResponse> answer) {
    Answers.one(
        answer,
        () ->
            ListPodSandboxResponse.newBuilder()
                .addAllItems(verbs.inventory().sandboxes(request.getFilter()))
                .build());
  }

  @Override
  public void streamPodSandboxes(
      StreamPodSandboxesRequest request, StreamObserver<StreamPodSandboxesResponse> answer) {
    Answers.chunks(
        answer,
        verbs.inventory().sandboxes(request.getFilter()),
        chunk -> StreamPodSandboxesResponse.newBuilder().addAllPodSandboxes(chunk).build());
  }

  @Override
  public void updatePodSandboxResources(
      UpdatePodSandboxResourcesRequest request,
      StreamObserver<UpdatePodSandboxResourcesResponse> answer) {
    Answers.done(
        answer,
        UpdatePodSandboxResourcesResponse.getDefaultInstance(),
        () -> verbs.sandboxes().update(request));
  }

  @Override
  public void createContainer(
      CreateContainerRequest request, StreamObserver<CreateContainerResponse> answer) {
    Answers.one(
        answer,
        () ->
            CreateContainerResponse.newBuilder()
                .setContainerId(
                    verbs.containers().create(request.getPodSandboxId(), request.getConfig()))
                .build());
  }

  @Override
  public void startContainer(
      StartContainerRequest request, StreamObserver<StartContainerResponse> answer) {
    Answers.done(
        answer,
        StartContainerResponse.getDefaultInstance(),
        () -> verbs.containers().start(request.getContainerId()));
  }

  @Override
  public void stopContainer(
      StopContainerRequest request, StreamObserver<StopContainerResponse> answer) {
    Duration grace = Duration.ofSeconds(request.getTimeout());
    Answers.done(
        answer,
        StopContainerResponse.getDefaultInstance(),
        () -> verbs.containers().stop(request.getContainerId(), grace, GrpcCaller.current()));
  }

  @Override
  public void removeContainer(
      RemoveContainerRequest request, StreamObserver<RemoveContainerResponse> answer) {
    Answers.done(
        answer,
        RemoveContainerResponse.getDefaultInstance(),
        () -> verbs.containers().remove(request.getContainerId()));
  }

  @Override
  public void listContainers(
      ListContainersRequest request, StreamObserver<ListContainersResponse> answer) {
    Answers.one(
        answer,
        () ->
            ListContainersResponse.newBuilder()
                .addAllContainers(verbs.inventory().containers(request.getFilter()))
                .build());
  }

  @Override
  public void streamContainers(
      StreamContainersRequest request, StreamObserver<StreamContainersResponse> answer) {
    Answers.chunks(
        answer,
        verbs.inventory().containers(request.getFilter()),
        chunk -> StreamContainersResponse.newBuilder().addAllContainers(chunk).build());
  }

  @Override
  public void containerStatus(
      ContainerStatusRequest request, StreamObserver<ContainerStatusResponse> answer) {
    Answers.one(answer, () -> details.container(request));
  }

  @Override
  public void updateContainerResources(
      UpdateContainerResourcesRequest request,
      StreamObserver<UpdateContainerResourcesResponse> answer) {
    Answers.done(
        answer,
        UpdateContainerResourcesResponse.getDefaultInstance(),
        () -> verbs.containers().update(request));
  }

  @Override
  public void reopenContainerLog(
      ReopenContainerLogRequest request, StreamObserver<ReopenContainerLogResponse> answer) {
    Answers.done(
        answer,
        ReopenContainerLogResponse.getDefaultInstance(),
        () -> verbs.containers().reopenLog(request.getContainerId()));
  }

  @Override
  public void checkpointContainer(
      CheckpointContainerRequest request, StreamObserver<CheckpointContainerResponse> answer) {
    Answers.done(
        answer,
        CheckpointContainerResponse.getDefaultInstance(),
        () -> details.checkpoint(request));
  }

  @Override
  public void execSync(ExecSyncRequest request, StreamObserver<ExecSyncResponse> answer) {
    Answers.one(answer, () -> streams.execSync(request));
  }

  @Override
  public void exec(ExecRequest request, StreamObserver<ExecResponse> answer) {
    Answers.one(answer, () -> ExecResponse.newBuilder().setUrl(streams.exec(request)).build());
  }

  @Override
  public void attach(AttachRequest request, StreamObserver<AttachResponse> answer) {
    Answers.one(answer, () -> AttachResponse.newBuilder().setUrl(streams.attach(request)).build());
  }

  @Override
  public void portForward(PortForwardRequest request, StreamObserver<PortForwardResponse> answer) {
    Answers.one(
        answer,
        () -> PortForwardResponse.newBuilder().setUrl(streams.portForward(request)).build());
  }

  @Override
  public void containerStats(
      ContainerStatsRequest request, StreamObserver<ContainerStatsResponse> answer) {
    Answers.one(
        answer,
        () ->
            ContainerStatsResponse.newBuilder()
                .setStats(verbs.statistics().container(request.getContainerId()))
                .build());
  }

  @Override
  public void listContainerStats(
      ListContainerStatsRequest request, StreamObserver<ListContainerStatsResponse> answer) {
    Answers.one(
        answer,
        () ->
            ListContainerStatsResponse.newBuilder()
                .addAllStats(verbs.statistics().containers(request.getFilter()))
                .build());
  }

  @Override
  public void streamContainerStats(
      StreamContainerStatsRequest request, StreamObserver<StreamContainerStatsResponse> answer) {
    Answers.chunks(
        answer,
        verbs.statistics().containers(request.getFilter()),
        chunk -> StreamContainerStatsResponse.newBuilder().addAllContainerStats(chunk).build());
  }

  @Override
  public void podSandboxStats(
      PodSandboxStatsRequest request, StreamObserver<PodSandboxStatsResponse> answer) {
    Answers.one(
        answer,
        () ->
            PodSandboxStatsResponse.newBuilder()
                .setStats(verbs.statistics().sandbox(request.getPodSandboxId()))
                .build());
  }

  @Override
  public void listPodSandboxStats(
      ListPodSandboxStatsRequest request, StreamObserver<ListPodSandboxStatsResponse> answer) {
    Answers.one(
        answer,
        () ->
            ListPodSandboxStatsResponse.newBuilder()
                .addAllStats(verbs.statistics().sandboxes(request.getFilter()))
                .build());
  }

  @Override
  public void streamPodSandboxStats(
      StreamPodSandboxStatsRequest request, StreamObserver<StreamPodSandboxStatsResponse> answer) {
    Answers.chunks(
        answer,
        verbs.statistics().sandboxes(request.getFilter()),
        chunk -> StreamPodSandboxStatsResponse.newBuilder().addAllPodSandboxStats(chunk).build());
  }

  @Override
  public void listMetricDescriptors(
      ListMetricDescriptorsRequest request, StreamObserver<ListMetricDescriptorsResponse> answer) {
    Answers.one(
        answer,
        () ->
            ListMetricDescriptorsResponse.newBuilder()
                .addAllDescriptors(Metrics.DESCRIPTORS)
                .build());
  }

  @Override
  public void listPodSandboxMetrics(
      ListPodSandboxMetricsRequest request, StreamObserver<ListPodSandboxMetricsResponse> answer) {
    Answers.one(
        answer,
        () ->
            ListPodSandboxMetricsResponse.newBuilder()
                .addAllPodMetrics(Metrics.of(verbs.statistics()))
                .build());
  }

  @Override
  public void streamPodSandboxMetrics(
      StreamPodSandboxMetricsRequest request,
      StreamObserver<StreamPodSandboxMetricsResponse> answer) {
    Answers.chunks(
        answer,
        Metrics.of(verbs.statistics()),
        chunk ->
            StreamPodSandboxMetricsResponse.newBuilder().addAllPodSandboxMetrics(chunk).build());
  }

  @Override
  public void getContainerEvents(
      GetEventsRequest request, StreamObserver<ContainerEventResponse> answer) {
    events.follow(answer, _ -> true);
  }
}
