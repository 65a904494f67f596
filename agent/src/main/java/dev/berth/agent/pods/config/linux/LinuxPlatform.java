package dev.berth.agent.pods.config.linux;

import dev.berth.agent.pods.config.ContainerContext;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.LinuxContainerConfig;
import dev.berth.cri.v1.LinuxPodSandboxConfig;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import dev.berth.cri.v1.UserNamespace;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import java.util.Optional;

/// Configurations for Linux: control groups, namespaces, users and capabilities.
public final class LinuxPlatform implements PlatformConfig {
  private final NodeSettings node;
  private final AllowedSysctls sysctls;
  private final boolean hasAppArmor;
  private final UserNamespaces users;

  public LinuxPlatform(NodeSettings node) {
    this(node, AllowedSysctls.ONLY_SAFE, true);
  }

  /// A node with additional sysctls.
  ///
  /// @param hasAppArmor whether the kernel enforces AppArmor
  public LinuxPlatform(NodeSettings node, AllowedSysctls sysctls, boolean hasAppArmor) {
    this.node = node;
    this.sysctls = sysctls;
    this.hasAppArmor = hasAppArmor;
    this.users = new UserNamespaces(node.pods());
  }

  @Override
  public String system() {
    return "linux";
  }

  @Override
  public Optional<String> forbiddenSysctl(Pod pod) {
    return sysctls.refusal(pod);
  }

  @Override
  public Optional<String> missingAppArmor(Pod pod) {
    return !hasAppArmor && AppArmor.isWanted(pod)
        ? Optional.of("AppArmor is not enabled on the host")
        : Optional.empty();
  }

  @Override
  public void fill(PodSandboxConfig.Builder config, Pod pod) {
    LinuxPodSandboxConfig.Builder linux =
        LinuxPodSandboxConfig.newBuilder()
            .setCgroupParent(node.cgroups().of(pod))
            .setSecurityContext(LinuxSecurity.ofSandbox(pod))
            .setOverhead(LinuxResources.overhead(pod))
            .setResources(LinuxResources.sum(pod));
    users
        .of(pod)
        .ifPresent(
            own ->
                linux
                    .getSecurityContextBuilder()
                    .getNamespaceOptionsBuilder()
                    .setUsernsOptions(own));
    PodSecurityContext security = pod.getSpec().getSecurityContext();
    if (security != null) {
      security
          .getSysctls()
          .forEach(sysctl -> linux.putSysctls(sysctl.getName(), sysctl.getValue()));
    }
    config.setLinux(linux);
  }

  @Override
  public void fill(ContainerConfig.Builder config, Pod pod, ContainerContext place) {
    config.setLinux(
        LinuxContainerConfig.newBuilder()
            .setResources(LinuxResources.of(pod, place.container(), node))
            .setSecurityContext(LinuxSecurity.ofContainer(pod, place, seccompDirectory())));
    users.of(pod).ifPresent(own -> setUsers(config, own));
  }

  /// Id mapping: a user who owns a file outside owns it inside, too.
  private static void setUsers(ContainerConfig.Builder config, UserNamespace own) {
    config
        .getLinuxBuilder()
        .getSecurityContextBuilder()
        .getNamespaceOptionsBuilder()
        .setUsernsOptions(own);
    config
        .getMountsBuilderList()
        .forEach(
            mount ->
                mount.addAllUidMappings(own.getUidsList()).addAllGidMappings(own.getGidsList()));
  }

  @Override
  public UpdateContainerResourcesRequest resize(
      String containerId, Pod pod, Container container, ServiceHandler handler) {
    return UpdateContainerResourcesRequest.newBuilder()
        .setContainerId(containerId)
        .setLinux(LinuxResources.of(pod, container, node))
        .build();
  }

  @Override
  public String hostsFile() {
    return "/etc/hosts";
  }

  @Override
  public String containerPath(String path) {
    return path;
  }

  private String seccompDirectory() {
    return node.pods().resolveSibling("seccomp").toString();
  }
}
