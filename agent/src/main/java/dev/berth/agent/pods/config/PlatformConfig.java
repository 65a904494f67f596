package dev.berth.agent.pods.config;

import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/// The part of configurations that is special to an operating system.
public interface PlatformConfig {
  /// What `spec.os.name` and the label `kubernetes.io/os` call it.
  String system();

  /// Why a pod may not change the kernel's settings as it wants to; empty when it may.
  default Optional<String> forbiddenSysctl(Pod pod) {
    return Optional.empty();
  }

  /// Why the node cannot confine a pod by AppArmor as it wants to be; empty when it can, or need
  /// not.
  default Optional<String> missingAppArmor(Pod pod) {
    return Optional.empty();
  }

  void fill(PodSandboxConfig.Builder config, Pod pod);

  void fill(ContainerConfig.Builder config, Pod pod, ContainerContext place);

  /// What changes the resources of a running container.
  ///
  /// @param handler with which its pod's sandbox was made
  UpdateContainerResourcesRequest resize(
      String containerId, Pod pod, Container container, ServiceHandler handler);

  /// Where containers look names of hosts up.
  String hostsFile();

  /// A path in a container, as the system writes it.
  String containerPath(String path);
}
