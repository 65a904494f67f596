package dev.berth.agent.pods.config;

import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;

/// The part of configurations that is special to an operating system.
public interface Platform {
  void fill(PodSandboxConfig.Builder config, Pod pod);

  void fill(ContainerConfig.Builder config, Pod pod, ContainerPlace place);

  UpdateContainerResourcesRequest resize(String containerId, Pod pod, Container container);
}
