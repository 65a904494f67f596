package dev.berth.cri;

import static dev.berth.cri.RuntimeOperations.ATTACH;
import static dev.berth.cri.RuntimeOperations.CHECKPOINT_CONTAINER;
import static dev.berth.cri.RuntimeOperations.CONTAINER_STATS;
import static dev.berth.cri.RuntimeOperations.CONTAINER_STATUS;
import static dev.berth.cri.RuntimeOperations.CREATE_CONTAINER;
import static dev.berth.cri.RuntimeOperations.EXEC;
import static dev.berth.cri.RuntimeOperations.EXEC_SYNC;
import static dev.berth.cri.RuntimeOperations.GET_CONTAINER_EVENTS;
import static dev.berth.cri.RuntimeOperations.LIST_METRIC_DESCRIPTORS;
import static dev.berth.cri.RuntimeOperations.POD_SANDBOX_STATS;
import static dev.berth.cri.RuntimeOperations.POD_SANDBOX_STATUS;
import static dev.berth.cri.RuntimeOperations.PORT_FORWARD;
import static dev.berth.cri.RuntimeOperations.REMOVE_CONTAINER;
import static dev.berth.cri.RuntimeOperations.REMOVE_POD_SANDBOX;
import static dev.berth.cri.RuntimeOperations.REOPEN_CONTAINER_LOG;
import static dev.berth.cri.RuntimeOperations.RUNTIME_CONFIG;
import static dev.berth.cri.RuntimeOperations.RUN_POD_SANDBOX;
import static dev.berth.cri.RuntimeOperations.START_CONTAINER;
import static dev.berth.cri.RuntimeOperations.STATUS;
import static dev.berth.cri.RuntimeOperations.STOP_CONTAINER;
import static dev.berth.cri.RuntimeOperations.STOP_POD_SANDBOX;
import static dev.berth.cri.RuntimeOperations.SUBSCRIBE_EXITS;
import static dev.berth.cri.RuntimeOperations.UPDATE_CONTAINER;
import static dev.berth.cri.RuntimeOperations.UPDATE_POD_SANDBOX;
import static dev.berth.cri.RuntimeOperations.UPDATE_RUNTIME_CONFIG;
import static dev.berth.cri.RuntimeOperations.VERSION;

import dev.berth.cri.v1.AttachRequest;
import dev.berth.cri.v1.CheckpointContainerRequest;
import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.ContainerStats;
import dev.berth.cri.v1.ContainerStatsFilter;
import dev.berth.cri.v1.ContainerStatsRequest;
import dev.berth.cri.v1.ContainerStatusRequest;
import dev.berth.cri.v1.ContainerStatusResponse;
import dev.berth.cri.v1.CreateContainerRequest;
import dev.berth.cri.v1.ExecRequest;
import dev.berth.cri.v1.ExecSyncRequest;
import dev.berth.cri.v1.ExecSyncResponse;
import dev.berth.cri.v1.GetEventsRequest;
import dev.berth.cri.v1.ListMetricDescriptorsRequest;
import dev.berth.cri.v1.MetricDescriptor;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxMetrics;
import dev.berth.cri.v1.PodSandboxStats;
import dev.berth.cri.v1.PodSandboxStatsFilter;
import dev.berth.cri.v1.PodSandboxStatsRequest;
import dev.berth.cri.v1.PodSandboxStatusRequest;
import dev.berth.cri.v1.PodSandboxStatusResponse;
import dev.berth.cri.v1.PortForwardRequest;
import dev.berth.cri.v1.RemoveContainerRequest;
import dev.berth.cri.v1.RemovePodSandboxRequest;
import dev.berth.cri.v1.ReopenContainerLogRequest;
import dev.berth.cri.v1.RunPodSandboxRequest;
import dev.berth.cri.v1.RuntimeConfig;
import dev.berth.cri.v1.RuntimeConfigRequest;
import dev.berth.cri.v1.RuntimeConfigResponse;
import dev.berth.cri.v1.StartContainerRequest;
import dev.berth.cri.v1.StatusRequest;
import dev.berth.cri.v1.StatusResponse;
import dev.berth.cri.v1.StopContainerRequest;
import dev.berth.cri.v1.StopPodSandboxRequest;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import dev.berth.cri.v1.UpdatePodSandboxResourcesRequest;
import dev.berth.cri.v1.UpdateRuntimeConfigRequest;
import dev.berth.cri.v1.VersionRequest;
import dev.berth.cri.v1.VersionResponse;
import java.time.Duration;
import java.util.List;

/// Builds the requests of the RuntimeService. `CriCalls` makes the calls.
///
/// It has no state but its collaborators, and adds nothing but deadlines: which call gets which
/// deadline is the kubelet's rule.
final class GrpcRuntimeClient implements RuntimeClient {
  /// The kubelet's version of the runtime API, which it always sends.
  private static final VersionRequest VERSION_REQUEST =
      VersionRequest.newBuilder().setVersion("0.1.0").build();

  private final CriCalls calls;
  private final CriDeadlines deadlines;
  private final RuntimeLists lists;

  GrpcRuntimeClient(CriCalls calls, CriDeadlines deadlines) {
    this.calls = calls;
    this.deadlines = deadlines;
    this.lists = new RuntimeLists(calls, deadlines);
  }

  @Override
  public VersionResponse version() {
    return call(VERSION, VERSION_REQUEST);
  }

  @Override
  public StatusResponse status(boolean verbose) {
    return call(STATUS, StatusRequest.newBuilder().setVerbose(verbose).build());
  }

  @Override
  public String runPodSandbox(PodSandboxConfig config, String handler) {
    var request =
        RunPodSandboxRequest.newBuilder().setConfig(config).setRuntimeHandler(handler).build();
    return calls.unary(RUN_POD_SANDBOX, request, deadlines.sandbox()).getPodSandboxId();
  }

  @Override
  public void stopPodSandbox(String sandboxId) {
    call(STOP_POD_SANDBOX, StopPodSandboxRequest.newBuilder().setPodSandboxId(sandboxId).build());
  }

  @Override
  public void removePodSandbox(String sandboxId) {
    call(
        REMOVE_POD_SANDBOX,
        RemovePodSandboxRequest.newBuilder().setPodSandboxId(sandboxId).build());
  }

  @Override
  public PodSandboxStatusResponse podSandboxStatus(String sandboxId, boolean verbose) {
    return call(
        POD_SANDBOX_STATUS,
        PodSandboxStatusRequest.newBuilder()
            .setPodSandboxId(sandboxId)
            .setVerbose(verbose)
            .build());
  }

  @Override
  public List<PodSandbox> listPodSandboxes(PodSandboxFilter filter) {
    return lists.sandboxes(filter);
  }

  @Override
  public void updatePodSandboxResources(UpdatePodSandboxResourcesRequest request) {
    call(UPDATE_POD_SANDBOX, request);
  }

  @Override
  public String createContainer(
      String sandboxId, ContainerConfig config, PodSandboxConfig sandboxConfig) {
    return call(
            CREATE_CONTAINER,
            CreateContainerRequest.newBuilder()
                .setPodSandboxId(sandboxId)
                .setConfig(config)
                .setSandboxConfig(sandboxConfig)
                .build())
        .getContainerId();
  }

  @Override
  public void startContainer(String containerId) {
    call(START_CONTAINER, StartContainerRequest.newBuilder().setContainerId(containerId).build());
  }

  @Override
  public void stopContainer(String containerId, Duration grace) {
    var request =
        StopContainerRequest.newBuilder()
            .setContainerId(containerId)
            // CRI counts whole seconds; a part of a second means zero, which kills at once.
            .setTimeout(grace.toSeconds())
            .build();
    calls.unary(STOP_CONTAINER, request, deadlines.afterWaiting(grace));
  }

  @Override
  public void removeContainer(String containerId) {
    call(REMOVE_CONTAINER, RemoveContainerRequest.newBuilder().setContainerId(containerId).build());
  }

  @Override
  public ContainerStatusResponse containerStatus(String containerId, boolean verbose) {
    return call(
        CONTAINER_STATUS,
        ContainerStatusRequest.newBuilder()
            .setContainerId(containerId)
            .setVerbose(verbose)
            .build());
  }

  @Override
  public List<Container> listContainers(ContainerFilter filter) {
    return lists.containers(filter);
  }

  @Override
  public void updateContainerResources(UpdateContainerResourcesRequest request) {
    call(UPDATE_CONTAINER, request);
  }

  @Override
  public void reopenContainerLog(String containerId) {
    call(
        REOPEN_CONTAINER_LOG,
        ReopenContainerLogRequest.newBuilder().setContainerId(containerId).build());
  }

  @Override
  public void checkpointContainer(String containerId, String location, Duration timeout) {
    var request =
        CheckpointContainerRequest.newBuilder()
            .setContainerId(containerId)
            .setLocation(location)
            .setTimeout(timeout.toSeconds())
            .build();
    calls.unary(CHECKPOINT_CONTAINER, request, deadlines.afterWaiting(timeout));
  }

  @Override
  public ExecSyncResponse execSync(String containerId, List<String> command, Duration timeout) {
    var request =
        ExecSyncRequest.newBuilder()
            .setContainerId(containerId)
            .addAllCmd(command)
            .setTimeout(timeout.toSeconds())
            .build();
    return calls.unary(EXEC_SYNC, request, deadlines.command(timeout));
  }

  @Override
  public String exec(ExecRequest request) {
    return calls.unary(EXEC, request, deadlines.streams()).getUrl();
  }

  @Override
  public String attach(AttachRequest request) {
    return calls.unary(ATTACH, request, deadlines.streams()).getUrl();
  }

  @Override
  public String portForward(PortForwardRequest request) {
    return calls.unary(PORT_FORWARD, request, deadlines.streams()).getUrl();
  }

  @Override
  public ContainerStats containerStats(String containerId) {
    return call(
            CONTAINER_STATS, ContainerStatsRequest.newBuilder().setContainerId(containerId).build())
        .getStats();
  }

  @Override
  public List<ContainerStats> listContainerStats(ContainerStatsFilter filter) {
    return lists.containerStats(filter);
  }

  @Override
  public PodSandboxStats podSandboxStats(String sandboxId) {
    return call(
            POD_SANDBOX_STATS,
            PodSandboxStatsRequest.newBuilder().setPodSandboxId(sandboxId).build())
        .getStats();
  }

  @Override
  public List<PodSandboxStats> listPodSandboxStats(PodSandboxStatsFilter filter) {
    return lists.sandboxStats(filter);
  }

  @Override
  public List<MetricDescriptor> listMetricDescriptors() {
    return call(LIST_METRIC_DESCRIPTORS, ListMetricDescriptorsRequest.getDefaultInstance())
        .getDescriptorsList();
  }

  @Override
  public List<PodSandboxMetrics> listPodSandboxMetrics() {
    return lists.sandboxMetrics();
  }

  @Override
  public RuntimeConfigResponse runtimeConfig() {
    return call(RUNTIME_CONFIG, RuntimeConfigRequest.getDefaultInstance());
  }

  @Override
  public void updateRuntimeConfig(RuntimeConfig config) {
    call(
        UPDATE_RUNTIME_CONFIG,
        UpdateRuntimeConfigRequest.newBuilder().setRuntimeConfig(config).build());
  }

  @Override
  public boolean followContainerEvents(EventReceiver<ContainerEvent> events) {
    return calls.follow(GET_CONTAINER_EVENTS, GetEventsRequest.getDefaultInstance(), events);
  }

  @Override
  public boolean followExits(EventReceiver<String> exits) {
    return calls.follow(SUBSCRIBE_EXITS, TaskExits.REQUEST, new TaskExits(exits));
  }

  private <Q, R> R call(CriOperation<Q, R> operation, Q request) {
    return calls.unary(operation, request, deadlines.ordinary());
  }
}
