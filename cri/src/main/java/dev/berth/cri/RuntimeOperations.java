package dev.berth.cri;

import dev.berth.cri.containerd.Envelope;
import dev.berth.cri.containerd.EventsGrpc;
import dev.berth.cri.containerd.SubscribeRequest;
import dev.berth.cri.v1.AttachRequest;
import dev.berth.cri.v1.AttachResponse;
import dev.berth.cri.v1.CheckpointContainerRequest;
import dev.berth.cri.v1.CheckpointContainerResponse;
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
import dev.berth.cri.v1.RuntimeServiceGrpc;
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

/// The methods of CRI's RuntimeService. v1alpha2 has those of Kubernetes 1.25 without checkpoints
/// and events.
///
/// The `type` of a streaming list is that of the unary list, so the metrics do not depend on which
/// of both a service has.
final class RuntimeOperations {
  static final CriOperation<VersionRequest, VersionResponse> VERSION =
      CriOperation.of("version", RuntimeServiceGrpc.getVersionMethod())
          .alsoInV1alpha2()
          .refusing(ReplyCheck::missingInVersion);
  static final CriOperation<StatusRequest, StatusResponse> STATUS =
      CriOperation.of("status", RuntimeServiceGrpc.getStatusMethod()).alsoInV1alpha2();
  static final CriOperation<RunPodSandboxRequest, RunPodSandboxResponse> RUN_POD_SANDBOX =
      CriOperation.of("run_podsandbox", RuntimeServiceGrpc.getRunPodSandboxMethod())
          .alsoInV1alpha2()
          .refusing(reply -> ReplyCheck.unless(reply.getPodSandboxId(), "pod_sandbox_id"));
  static final CriOperation<StopPodSandboxRequest, StopPodSandboxResponse> STOP_POD_SANDBOX =
      CriOperation.of("stop_podsandbox", RuntimeServiceGrpc.getStopPodSandboxMethod())
          .alsoInV1alpha2()
          .doneWhenAbsent(StopPodSandboxResponse.getDefaultInstance());
  static final CriOperation<RemovePodSandboxRequest, RemovePodSandboxResponse> REMOVE_POD_SANDBOX =
      CriOperation.of("remove_podsandbox", RuntimeServiceGrpc.getRemovePodSandboxMethod())
          .alsoInV1alpha2()
          .doneWhenAbsent(RemovePodSandboxResponse.getDefaultInstance());
  static final CriOperation<PodSandboxStatusRequest, PodSandboxStatusResponse> POD_SANDBOX_STATUS =
      CriOperation.of("podsandbox_status", RuntimeServiceGrpc.getPodSandboxStatusMethod())
          .alsoInV1alpha2()
          .refusing(reply -> ReplyCheck.missingIn(reply.getStatus()));
  static final CriOperation<ListPodSandboxRequest, ListPodSandboxResponse> LIST_POD_SANDBOX =
      CriOperation.of("list_podsandbox", RuntimeServiceGrpc.getListPodSandboxMethod())
          .alsoInV1alpha2();

  /// Exists since Kubernetes 1.36; older services answer UNIMPLEMENTED.
  static final CriOperation<StreamPodSandboxesRequest, StreamPodSandboxesResponse>
      STREAM_POD_SANDBOXES =
          CriOperation.of("list_podsandbox", RuntimeServiceGrpc.getStreamPodSandboxesMethod());

  static final CriOperation<CreateContainerRequest, CreateContainerResponse> CREATE_CONTAINER =
      CriOperation.of("create_container", RuntimeServiceGrpc.getCreateContainerMethod())
          .alsoInV1alpha2()
          .refusing(reply -> ReplyCheck.unless(reply.getContainerId(), "container_id"));
  static final CriOperation<StartContainerRequest, StartContainerResponse> START_CONTAINER =
      CriOperation.of("start_container", RuntimeServiceGrpc.getStartContainerMethod())
          .alsoInV1alpha2();
  static final CriOperation<StopContainerRequest, StopContainerResponse> STOP_CONTAINER =
      CriOperation.of("stop_container", RuntimeServiceGrpc.getStopContainerMethod())
          .alsoInV1alpha2()
          .doneWhenAbsent(StopContainerResponse.getDefaultInstance());
  static final CriOperation<RemoveContainerRequest, RemoveContainerResponse> REMOVE_CONTAINER =
      CriOperation.of("remove_container", RuntimeServiceGrpc.getRemoveContainerMethod())
          .alsoInV1alpha2()
          .doneWhenAbsent(RemoveContainerResponse.getDefaultInstance());
  static final CriOperation<ListContainersRequest, ListContainersResponse> LIST_CONTAINERS =
      CriOperation.of("list_containers", RuntimeServiceGrpc.getListContainersMethod())
          .alsoInV1alpha2();
  static final CriOperation<StreamContainersRequest, StreamContainersResponse> STREAM_CONTAINERS =
      CriOperation.of("list_containers", RuntimeServiceGrpc.getStreamContainersMethod());
  static final CriOperation<ContainerStatusRequest, ContainerStatusResponse> CONTAINER_STATUS =
      CriOperation.of("container_status", RuntimeServiceGrpc.getContainerStatusMethod())
          .alsoInV1alpha2()
          .refusing(reply -> ReplyCheck.missingIn(reply.getStatus()));
  static final CriOperation<UpdateContainerResourcesRequest, UpdateContainerResourcesResponse>
      UPDATE_CONTAINER =
          CriOperation.of(
                  "update_container", RuntimeServiceGrpc.getUpdateContainerResourcesMethod())
              .alsoInV1alpha2();
  static final CriOperation<ReopenContainerLogRequest, ReopenContainerLogResponse>
      REOPEN_CONTAINER_LOG =
          CriOperation.of("reopen_container_log", RuntimeServiceGrpc.getReopenContainerLogMethod())
              .alsoInV1alpha2();
  static final CriOperation<ExecSyncRequest, ExecSyncResponse> EXEC_SYNC =
      CriOperation.of("exec_sync", RuntimeServiceGrpc.getExecSyncMethod()).alsoInV1alpha2();
  static final CriOperation<ExecRequest, ExecResponse> EXEC =
      CriOperation.of("exec", RuntimeServiceGrpc.getExecMethod())
          .alsoInV1alpha2()
          .refusing(reply -> ReplyCheck.unless(reply.getUrl(), "url"));
  static final CriOperation<AttachRequest, AttachResponse> ATTACH =
      CriOperation.of("attach", RuntimeServiceGrpc.getAttachMethod())
          .alsoInV1alpha2()
          .refusing(reply -> ReplyCheck.unless(reply.getUrl(), "url"));
  static final CriOperation<PortForwardRequest, PortForwardResponse> PORT_FORWARD =
      CriOperation.of("port_forward", RuntimeServiceGrpc.getPortForwardMethod())
          .alsoInV1alpha2()
          .refusing(reply -> ReplyCheck.unless(reply.getUrl(), "url"));
  static final CriOperation<ContainerStatsRequest, ContainerStatsResponse> CONTAINER_STATS =
      CriOperation.of("container_stats", RuntimeServiceGrpc.getContainerStatsMethod())
          .alsoInV1alpha2();
  static final CriOperation<ListContainerStatsRequest, ListContainerStatsResponse>
      LIST_CONTAINER_STATS =
          CriOperation.of("list_container_stats", RuntimeServiceGrpc.getListContainerStatsMethod())
              .alsoInV1alpha2();
  static final CriOperation<StreamContainerStatsRequest, StreamContainerStatsResponse>
      STREAM_CONTAINER_STATS =
          CriOperation.of(
              "list_container_stats", RuntimeServiceGrpc.getStreamContainerStatsMethod());
  static final CriOperation<PodSandboxStatsRequest, PodSandboxStatsResponse> POD_SANDBOX_STATS =
      CriOperation.of("podsandbox_stats", RuntimeServiceGrpc.getPodSandboxStatsMethod())
          .alsoInV1alpha2();
  static final CriOperation<ListPodSandboxStatsRequest, ListPodSandboxStatsResponse>
      LIST_POD_SANDBOX_STATS =
          CriOperation.of(
                  "list_podsandbox_stats", RuntimeServiceGrpc.getListPodSandboxStatsMethod())
              .alsoInV1alpha2();
  static final CriOperation<StreamPodSandboxStatsRequest, StreamPodSandboxStatsResponse>
      STREAM_POD_SANDBOX_STATS =
          CriOperation.of(
              "list_podsandbox_stats", RuntimeServiceGrpc.getStreamPodSandboxStatsMethod());
  static final CriOperation<UpdateRuntimeConfigRequest, UpdateRuntimeConfigResponse>
      UPDATE_RUNTIME_CONFIG =
          CriOperation.of(
                  "update_runtime_config", RuntimeServiceGrpc.getUpdateRuntimeConfigMethod())
              .alsoInV1alpha2();

  /// Exists in v1 only, since Kubernetes 1.25.
  static final CriOperation<CheckpointContainerRequest, CheckpointContainerResponse>
      CHECKPOINT_CONTAINER =
          CriOperation.of(
              "checkpoint_container", RuntimeServiceGrpc.getCheckpointContainerMethod());

  /// Exists since Kubernetes 1.26, like the metrics of sandboxes.
  static final CriOperation<ListMetricDescriptorsRequest, ListMetricDescriptorsResponse>
      LIST_METRIC_DESCRIPTORS =
          CriOperation.of(
              "list_metric_descriptors", RuntimeServiceGrpc.getListMetricDescriptorsMethod());

  static final CriOperation<ListPodSandboxMetricsRequest, ListPodSandboxMetricsResponse>
      LIST_POD_SANDBOX_METRICS =
          CriOperation.of(
              "list_podsandbox_metrics", RuntimeServiceGrpc.getListPodSandboxMetricsMethod());
  static final CriOperation<StreamPodSandboxMetricsRequest, StreamPodSandboxMetricsResponse>
      STREAM_POD_SANDBOX_METRICS =
          CriOperation.of(
              "list_podsandbox_metrics", RuntimeServiceGrpc.getStreamPodSandboxMetricsMethod());

  /// Exists since Kubernetes 1.28.
  static final CriOperation<RuntimeConfigRequest, RuntimeConfigResponse> RUNTIME_CONFIG =
      CriOperation.of("runtime_config", RuntimeServiceGrpc.getRuntimeConfigMethod());

  /// Exists since Kubernetes 1.33 (resize of pod-level resources).
  static final CriOperation<UpdatePodSandboxResourcesRequest, UpdatePodSandboxResourcesResponse>
      UPDATE_POD_SANDBOX =
          CriOperation.of(
              "update_podsandbox_resources",
              RuntimeServiceGrpc.getUpdatePodSandboxResourcesMethod());

  /// Read by a marshaller of its own, because the message changed its format (see
  /// `ContainerEventMarshaller`).
  static final CriOperation<GetEventsRequest, ContainerEvent> GET_CONTAINER_EVENTS =
      CriOperation.of(
          "get_container_events",
          RuntimeServiceGrpc.getGetContainerEventsMethod().toBuilder(
                  RuntimeServiceGrpc.getGetContainerEventsMethod().getRequestMarshaller(),
                  new ContainerEventMarshaller())
              .build());

  /// containerd's own event service on the same socket, which is not part of CRI.
  static final CriOperation<SubscribeRequest, Envelope> SUBSCRIBE_EXITS =
      CriOperation.of("subscribe_exits", EventsGrpc.getSubscribeMethod());

  private RuntimeOperations() {}
}
