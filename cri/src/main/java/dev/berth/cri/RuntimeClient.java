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

/// A blocking client of CRI's RuntimeService.
///
/// Every method may throw `CriException`. An interrupt cancels the call at the service, throws a
/// cancelled exception, and stays set. Stopping or removing something that does not exist succeeds:
/// containerd 1.6 answers some of these calls with NOT_FOUND, although CRI asks for success. Ids
/// and URLs are never empty. Any number of threads may use a client.
public interface RuntimeClient {
  /// Returns name and version of the runtime and the version of its API. The first call also shows
  /// which version of CRI the service has.
  VersionResponse version();

  /// Returns the runtime's status; `verbose` also fills `info`, which holds containerd's
  /// configuration.
  StatusResponse status(boolean verbose);

  /// Runs a sandbox and returns its id. The handler is the one of the pod's RuntimeClass, or empty
  /// for the runtime's default.
  String runPodSandbox(PodSandboxConfig config, String handler);

  /// Stops the sandbox and all containers in it, and gives back its network. A stopped sandbox
  /// still exists until it is removed.
  void stopPodSandbox(String sandboxId);

  /// Removes the sandbox with its containers; running ones are killed first.
  void removePodSandbox(String sandboxId);

  /// Returns the state of a sandbox; with `verbose` also details of the runtime, whose keys differ
  /// between runtimes.
  PodSandboxStatusResponse podSandboxStatus(String sandboxId, boolean verbose);

  /// Lists the sandboxes that match, stopped ones included.
  List<PodSandbox> listPodSandboxes(PodSandboxFilter filter);

  /// Reports new resources of the whole pod; containerd 1.6 does not have the call.
  void updatePodSandboxResources(UpdatePodSandboxResourcesRequest request);

  /// Creates a container and returns its id.
  String createContainer(String sandboxId, ContainerConfig config, PodSandboxConfig sandboxConfig);

  /// Starts a created container. A container that has ended cannot be started again; a new one is
  /// created.
  void startContainer(String containerId);

  /// Stops a container after a grace period; with zero it is killed at once.
  void stopContainer(String containerId, Duration grace);

  /// Removes the container; a running one is killed first.
  void removeContainer(String containerId);

  /// Returns the state of a container, also after its end until it is removed.
  ContainerStatusResponse containerStatus(String containerId, boolean verbose);

  /// Lists the containers that match, ended ones included.
  List<Container> listContainers(ContainerFilter filter);

  /// Changes the limits of a running container.
  void updateContainerResources(UpdateContainerResourcesRequest request);

  /// Makes the runtime write to a new file at the log's path; to be called after the file was
  /// renamed.
  void reopenContainerLog(String containerId);

  /// Writes the state of a running container to a file. The service gives up after the timeout.
  void checkpointContainer(String containerId, String location, Duration timeout);

  /// Runs a command to its end. The runtime kills it after the timeout; zero means no timeout.
  ExecSyncResponse execSync(String containerId, List<String> command, Duration timeout);

  /// Returns the URL of a command's streams.
  String exec(ExecRequest request);

  /// Returns the URL of a container's streams.
  String attach(AttachRequest request);

  /// Returns the URL of forwarded ports.
  String portForward(PortForwardRequest request);

  /// Returns the usage of a running container.
  ContainerStats containerStats(String containerId);

  List<ContainerStats> listContainerStats(ContainerStatsFilter filter);

  PodSandboxStats podSandboxStats(String sandboxId);

  /// Lists the usage of sandboxes that match; runtimes before Kubernetes 1.23 do not have the call.
  List<PodSandboxStats> listPodSandboxStats(PodSandboxStatsFilter filter);

  /// Lists names and labels of the metrics; containerd 1.6 does not have the call.
  List<MetricDescriptor> listMetricDescriptors();

  /// Lists metrics in the runtime's own names; containerd 1.6 does not have the call.
  List<PodSandboxMetrics> listPodSandboxMetrics();

  /// Returns the cgroup driver that the runtime uses; containerd 1.6 does not have the call.
  RuntimeConfigResponse runtimeConfig();

  /// Reports the range of pod addresses of the node.
  void updateRuntimeConfig(RuntimeConfig config);

  /// Follows container events until the service ends the stream or the thread is interrupted.
  ///
  /// @return false at once when the service has no such stream, as in containerd 1.6
  boolean followContainerEvents(EventReceiver<ContainerEvent> events);

  /// Follows the ids of containers and sandboxes that end, until the service ends the stream or the
  /// thread is interrupted. An id says that something ended, not how: ask for its status.
  ///
  /// @return false at once when the service has no such stream; every containerd has it
  boolean followExits(EventReceiver<String> exits);
}
