package dev.berth.sim.service;

import dev.berth.cri.v1.AttachRequest;
import dev.berth.cri.v1.AttachResponse;
import dev.berth.cri.v1.CheckpointContainerRequest;
import dev.berth.cri.v1.CheckpointContainerResponse;
import dev.berth.cri.v1.ContainerStatusRequest;
import dev.berth.cri.v1.ContainerStatusResponse;
import dev.berth.cri.v1.CreateContainerRequest;
import dev.berth.cri.v1.CreateContainerResponse;
import dev.berth.cri.v1.ExecRequest;
import dev.berth.cri.v1.ExecResponse;
import dev.berth.cri.v1.ExecSyncRequest;
import dev.berth.cri.v1.ExecSyncResponse;
import dev.berth.cri.v1.ListContainersRequest;
import dev.berth.cri.v1.ListContainersResponse;
import dev.berth.cri.v1.PortForwardRequest;
import dev.berth.cri.v1.PortForwardResponse;
import dev.berth.cri.v1.RemoveContainerRequest;
import dev.berth.cri.v1.RemoveContainerResponse;
import dev.berth.cri.v1.ReopenContainerLogRequest;
import dev.berth.cri.v1.ReopenContainerLogResponse;
import dev.berth.cri.v1.StartContainerRequest;
import dev.berth.cri.v1.StartContainerResponse;
import dev.berth.cri.v1.StopContainerRequest;
import dev.berth.cri.v1.StopContainerResponse;
import dev.berth.cri.v1.StreamContainersRequest;
import dev.berth.cri.v1.StreamContainersResponse;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import dev.berth.cri.v1.UpdateContainerResourcesResponse;
import io.grpc.stub.StreamObserver;
import java.time.Duration;

/// The calls of CRI's RuntimeService that are about containers and what runs in them.
abstract class ContainerCalls extends StatisticsCalls {
  private final Verbs verbs;
  private final Details details;
  private final StreamVerbs streams;

  ContainerCalls(Verbs verbs, Details details, StreamVerbs streams) {
    super(verbs.statistics());
    this.verbs = verbs;
    this.details = details;
    this.streams = streams;
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
}
