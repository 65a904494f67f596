package dev.berth.vm.pods.rules;

import static dev.berth.vm.pods.rules.SandboxRules.refusal;

import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.LinuxContainerSecurityContext;
import dev.berth.cri.v1.Mount;
import dev.berth.cri.v1.MountPropagation;

/// Refuses what a container in a guest cannot have.
public final class ContainerRules {
  private ContainerRules() {}

  /// Checks a container.
  ///
  /// @throws dev.berth.cri.serving.CallRefusal INVALID_ARGUMENT with what is accepted instead
  public static void check(ContainerConfig config) {
    String container =
        "container %s cannot be created in a virtual machine"
            .formatted(config.getMetadata().getName());
    LinuxContainerSecurityContext security = config.getLinux().getSecurityContext();
    SandboxRules.checkNamespaces(container, security.getNamespaceOptions());
    SandboxRules.checkSecurity(
        container, security.getSelinuxOptions(), security.getSeccomp(), security.getApparmor());
    if (config.getDevicesCount() > 0) {
      throw refusal(
          container,
          "it asks for the device %s of the node".formatted(config.getDevices(0).getHostPath()),
          "Choose a RuntimeClass of containers on the node's kernel");
    }
    if (config.getCDIDevicesCount() > 0) {
      throw refusal(
          container,
          "it asks for the CDI device %s".formatted(config.getCDIDevices(0).getName()),
          "Choose a RuntimeClass of containers on the node's kernel");
    }
    if (config.getLinux().getResources().getHugepageLimitsList().stream()
        .anyMatch(limit -> limit.getLimit() > 0)) {
      throw refusal(container, "guests have no huge pages", "Remove the limits of hugepages-*");
    }
    config.getMountsList().forEach(mount -> checkPropagation(container, mount));
  }

  private static void checkPropagation(String container, Mount mount) {
    if (mount.getPropagation() == MountPropagation.PROPAGATION_BIDIRECTIONAL) {
      throw refusal(
          container,
          "the mount at %s has mountPropagation Bidirectional, and a guest mounts nothing on the node"
              .formatted(mount.getContainerPath()),
          "Use None or HostToContainer");
    }
  }
}
