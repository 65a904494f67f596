package dev.berth.agent.pods.config.windows;

import dev.berth.agent.pods.config.ContainerContext;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import dev.berth.cri.v1.WindowsContainerConfig;
import dev.berth.cri.v1.WindowsPodSandboxConfig;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;

/// Configurations for Windows: job objects, domain accounts, host processes.
public final class WindowsPlatform implements PlatformConfig {
  private final WindowsResources resources;

  public WindowsPlatform(NodeSettings node, WindowsProcessors processors) {
    this.resources = new WindowsResources(processors, node.capacity());
  }

  @Override
  public String system() {
    return "windows";
  }

  /// Windows has no control group per pod, so a sandbox gets neither resources nor overhead.
  @Override
  public void fill(PodSandboxConfig.Builder config, Pod pod) {
    config.setWindows(
        WindowsPodSandboxConfig.newBuilder().setSecurityContext(WindowsSecurity.ofSandbox(pod)));
  }

  @Override
  public void fill(ContainerConfig.Builder config, Pod pod, ContainerContext place) {
    config.setWindows(
        WindowsContainerConfig.newBuilder()
            .setResources(resources.of(pod, place.container(), place.handler()))
            .setSecurityContext(WindowsSecurity.ofContainer(pod, place)));
  }

  @Override
  public UpdateContainerResourcesRequest resize(
      String containerId, Pod pod, Container container, ServiceHandler handler) {
    return UpdateContainerResourcesRequest.newBuilder()
        .setContainerId(containerId)
        .setWindows(resources.of(pod, container, handler))
        .build();
  }

  @Override
  public String resourceControls(Pod pod, ServiceHandler handler) {
    return resources.controls(pod, handler);
  }

  @Override
  public String hostsFile() {
    return "C:\\Windows\\System32\\drivers\\etc\\hosts";
  }

  /// A path without a drive letter is on drive C; one with a colon is used as it is.
  @Override
  public String containerPath(String path) {
    if (path.contains(":")) {
      return path;
    }
    boolean fromRoot = path.startsWith("/") || path.startsWith("\\");
    return (fromRoot ? "c:" : "c:\\") + path;
  }
}
