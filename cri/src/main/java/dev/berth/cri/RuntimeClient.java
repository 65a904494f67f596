package dev.berth.cri;

import dev.berth.cri.v1.AttachRequest;
import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.ContainerStats;
import dev.berth.cri.v1.ContainerStatsFilter;
import dev.berth.cri.v1.ContainerStatusResponse;
import dev.berth.cri.v1.ExecRequest;
import dev.berth.cri.v1.ExecSyncResponse;
import dev.berth.cri.v1.MetricDescriptor;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxMetrics;
import dev.berth.cri.v1.PodSandboxStats;
import dev.berth.cri.v1.PodSandboxStatsFilter;
import dev.berth.cri.v1.PodSandboxStatusResponse;
import dev.berth.cri.v1.PortForwardRequest;
import dev.berth.cri.v1.RuntimeConfig;
import dev.berth.cri.v1.RuntimeConfigResponse;
import dev.berth.cri.v1.StatusResponse;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import dev.berth.cri.v1.UpdatePodSandboxResourcesRequest;
import dev.berth.cri.v1.VersionResponse;
import java.time.Duration;
import java.util.List;

/// CRI's RuntimeService, called and waited for.
///
/// Every method may throw `CriException`. An interrupt cancels the call at the service, throws it
/// as cancelled and stays set. What is to be stopped or removed and is not there counts as done.
/// Ids and URLs are never empty.
public interface RuntimeClient {
  VersionResponse version();

  /// How the runtime is; `verbose` also fills `info`, where containerd keeps its configuration.
  StatusResponse status(boolean verbose);

  /// Starts a sandbox and answers its id; the handler is that of the pod's runtime class, or empty
  /// for the runtime's own default.
  String runPodSandbox(PodSandboxConfig config, String handler);

  void stopPodSandbox(String sandboxId);

  void removePodSandbox(String sandboxId);

  PodSandboxStatusResponse podSandboxStatus(String sandboxId, boolean verbose);

  List<PodSandbox> listPodSandboxes(PodSandboxFilter filter);

  void updatePodSandboxResources(UpdatePodSandboxResourcesRequest request);

  /// Answers the container's id.
  String createContainer(String sandboxId, ContainerConfig config, PodSandboxConfig sandboxConfig);

  void startContainer(String containerId);

  /// Stops a container that gets the grace to end by itself; zero kills it at once.
  void stopContainer(String containerId, Duration grace);

  void removeContainer(String containerId);

  ContainerStatusResponse containerStatus(String containerId, boolean verbose);

  List<Container> listContainers(ContainerFilter filter);

  void updateContainerResources(UpdateContainerResourcesRequest request);

  void reopenContainerLog(String containerId);

  void checkpointContainer(String containerId, String location, Duration timeout);

  /// Runs a command to its end; the runtime kills it after the timeout, zero lets it run.
  ExecSyncResponse execSync(String containerId, List<String> command, Duration timeout);

  /// Answers the URL of the runtime's streaming server.
  String exec(ExecRequest request);

  /// Answers the URL of the runtime's streaming server.
  String attach(AttachRequest request);

  /// Answers the URL of the runtime's streaming server.
  String portForward(PortForwardRequest request);

  ContainerStats containerStats(String containerId);

  List<ContainerStats> listContainerStats(ContainerStatsFilter filter);

  PodSandboxStats podSandboxStats(String sandboxId);

  List<PodSandboxStats> listPodSandboxStats(PodSandboxStatsFilter filter);

  List<MetricDescriptor> listMetricDescriptors();

  List<PodSandboxMetrics> listPodSandboxMetrics();

  RuntimeConfigResponse runtimeConfig();

  void updateRuntimeConfig(RuntimeConfig config);

  /// Follows what happens to containers until the service ends the stream or the thread is
  /// interrupted.
  ///
  /// @return false at once when the service has no such stream (containerd before 1.7): then list
  ///   again and again
  boolean followContainerEvents(EventReceiver<ContainerEvent> events);

  /// Follows the ids of containers and sandboxes that end, until the service ends the stream or the
  /// thread is interrupted. It tells that one ended, not how: look at it.
  ///
  /// @return false at once when the service has no such stream: every containerd has
  boolean followExits(EventReceiver<String> exits);
}
