package dev.berth.sim.service;

import dev.berth.cri.serving.GrpcAnswers;
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

/// The methods of CRI's RuntimeService that concern containers and commands in them. A superclass
/// of [SimRuntimeService] only to keep each file short.
abstract class ContainerCalls extends StatisticsCalls {
  private final MachineVerbs verbs;
  private final VerboseDetails details;
  private final StreamVerbs streams;

  ContainerCalls(MachineVerbs verbs, VerboseDetails details, StreamVerbs streams) {
    super(verbs.statistics());
    this.verbs = verbs;
    this.details = details;
    this.streams = streams;
  }

  /// Creates a container, which does not run yet. The image must be present: the kubelet pulls it
  /// before.
  @Override
  public void createContainer(
      CreateContainerRequest request, StreamObserver<CreateContainerResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            CreateContainerResponse.newBuilder()
                .setContainerId(
                    verbs.containers().create(request.getPodSandboxId(), request.getConfig()))
                .build());
  }

  /// Starts a container once. A container that has ended is never started again; the kubelet
  /// creates a new one with a higher attempt.
  @Override
  public void startContainer(
      StartContainerRequest request, StreamObserver<StartContainerResponse> answer) {
    GrpcAnswers.done(
        answer,
        StartContainerResponse.getDefaultInstance(),
        () -> verbs.containers().start(request.getContainerId()));
  }

  /// Answers when the container has ended, at the latest after the grace period. A caller that
  /// gives up does not take the signal back.
  @Override
  public void stopContainer(
      StopContainerRequest request, StreamObserver<StopContainerResponse> answer) {
    // A grace of zero kills at once; the model handles it.
    Duration grace = Duration.ofSeconds(request.getTimeout());
    GrpcAnswers.done(
        answer,
        StopContainerResponse.getDefaultInstance(),
        () -> verbs.containers().stop(request.getContainerId(), grace, GrpcCaller.current()));
  }

  /// Removes a container, which is killed if it runs, and succeeds for an unknown id.
  @Override
  public void removeContainer(
      RemoveContainerRequest request, StreamObserver<RemoveContainerResponse> answer) {
    GrpcAnswers.done(
        answer,
        RemoveContainerResponse.getDefaultInstance(),
        () -> verbs.containers().remove(request.getContainerId()));
  }

  /// Lists containers, ended ones included, until they are removed: the kubelet reads exit codes
  /// there.
  @Override
  public void listContainers(
      ListContainersRequest request, StreamObserver<ListContainersResponse> answer) {
    GrpcAnswers.one(
        answer,
        () ->
            ListContainersResponse.newBuilder()
                .addAllContainers(verbs.inventory().containers(request.getFilter()))
                .build());
  }

  @Override
  public void streamContainers(
      StreamContainersRequest request, StreamObserver<StreamContainersResponse> answer) {
    GrpcAnswers.chunks(
        answer,
        verbs.inventory().containers(request.getFilter()),
        chunk -> StreamContainersResponse.newBuilder().addAllContainers(chunk).build());
  }

  @Override
  public void containerStatus(
      ContainerStatusRequest request, StreamObserver<ContainerStatusResponse> answer) {
    GrpcAnswers.one(answer, () -> details.container(request));
  }

  /// Changes the limits of a running container without a restart (KEP-1287).
  @Override
  public void updateContainerResources(
      UpdateContainerResourcesRequest request,
      StreamObserver<UpdateContainerResourcesResponse> answer) {
    GrpcAnswers.done(
        answer,
        UpdateContainerResourcesResponse.getDefaultInstance(),
        () -> verbs.containers().update(request));
  }

  /// Follows the kubelet's log rotation: the kubelet renames the file, and this call makes the
  /// runtime write into a new one.
  @Override
  public void reopenContainerLog(
      ReopenContainerLogRequest request, StreamObserver<ReopenContainerLogResponse> answer) {
    GrpcAnswers.done(
        answer,
        ReopenContainerLogResponse.getDefaultInstance(),
        () -> verbs.containers().reopenLog(request.getContainerId()));
  }

  @Override
  public void checkpointContainer(
      CheckpointContainerRequest request, StreamObserver<CheckpointContainerResponse> answer) {
    GrpcAnswers.done(
        answer,
        CheckpointContainerResponse.getDefaultInstance(),
        () -> details.checkpoint(request));
  }

  /// Runs a command to its end; the kubelet does so for exec probes. A timeout of zero means no
  /// limit.
  @Override
  public void execSync(ExecSyncRequest request, StreamObserver<ExecSyncResponse> answer) {
    GrpcAnswers.one(answer, () -> streams.execSync(request));
  }

  /// Answers with a URL only. The kubelet relays its client to that URL, where the command then
  /// runs.
  @Override
  public void exec(ExecRequest request, StreamObserver<ExecResponse> answer) {
    GrpcAnswers.one(answer, () -> ExecResponse.newBuilder().setUrl(streams.exec(request)).build());
  }

  @Override
  public void attach(AttachRequest request, StreamObserver<AttachResponse> answer) {
    GrpcAnswers.one(
        answer, () -> AttachResponse.newBuilder().setUrl(streams.attach(request)).build());
  }

  @Override
  public void portForward(PortForwardRequest request, StreamObserver<PortForwardResponse> answer) {
    GrpcAnswers.one(
        answer,
        () -> PortForwardResponse.newBuilder().setUrl(streams.portForward(request)).build());
  }
}
