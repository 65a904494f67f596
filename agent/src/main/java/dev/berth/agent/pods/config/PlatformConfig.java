package dev.berth.agent.pods.config;

import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/// The parts of configurations that differ between operating systems.
public interface PlatformConfig {
  /// The name of the system in `spec.os.name` and in the label `kubernetes.io/os`.
  String system();

  /// Why the pod's sysctls are refused; empty when they are allowed.
  default Optional<String> forbiddenSysctl(Pod pod) {
    return Optional.empty();
  }

  /// Why the node cannot apply the pod's AppArmor profiles; empty when it can, or need not.
  default Optional<String> missingAppArmor(Pod pod) {
    return Optional.empty();
  }

  void fill(PodSandboxConfig.Builder config, Pod pod);

  void fill(ContainerConfig.Builder config, Pod pod, ContainerContext place);

  /// The request that changes the resources of a running container.
  ///
  /// @param handler the handler of its pod's sandbox
  UpdateContainerResourcesRequest resize(
      String containerId, Pod pod, Container container, ServiceHandler handler);

  /// How the limits of a pod's containers are sent to its runtime service, for the status of the
  /// pod; empty where there is only one way.
  default String resourceControls(Pod pod, ServiceHandler handler) {
    return "";
  }

  /// The path of the hosts file in containers.
  String hostsFile();

  /// A container path in the system's syntax.
  String containerPath(String path);
}
