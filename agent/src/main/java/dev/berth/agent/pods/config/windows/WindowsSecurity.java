package dev.berth.agent.pods.config.windows;

import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.config.ContainerContext;
import dev.berth.agent.pods.config.SandboxConfigs;
import dev.berth.cri.v1.NamespaceMode;
import dev.berth.cri.v1.WindowsContainerSecurityContext;
import dev.berth.cri.v1.WindowsNamespaceOption;
import dev.berth.cri.v1.WindowsSandboxSecurityContext;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.WindowsSecurityContextOptions;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Users of containers on Windows; a container's setting overrides its pod's.
final class WindowsSecurity {
  /// The account with all rights in a container.
  private static final String ADMINISTRATOR = "ContainerAdministrator";

  private WindowsSecurity() {}

  /// @throws ConfigException when only some containers are processes of the host
  static WindowsSandboxSecurityContext ofSandbox(Pod pod) {
    Optional<WindowsSecurityContextOptions> options = options(pod);
    boolean inHostNetwork = SandboxConfigs.isInHostNetwork(pod);
    WindowsSandboxSecurityContext.Builder context =
        WindowsSandboxSecurityContext.newBuilder()
            .setNamespaceOptions(
                WindowsNamespaceOption.newBuilder()
                    .setNetwork(inHostNetwork ? NamespaceMode.NODE : NamespaceMode.POD))
            .setHostProcess(isOfHost(pod));
    set(options, WindowsSecurityContextOptions::getRunAsUserName, context::setRunAsUsername);
    set(options, WindowsSecurityContextOptions::getGmsaCredentialSpec, context::setCredentialSpec);
    return context.build();
  }

  /// What the container gets.
  ///
  /// @throws ConfigException when it may not run as the user that it names, or that its image names
  static WindowsContainerSecurityContext ofContainer(Pod pod, ContainerContext place) {
    WindowsContainerSecurityContext context = ofContainer(pod, place.container());
    requireNonRoot(pod, place, context.getRunAsUsername());
    return context;
  }

  private static void requireNonRoot(Pod pod, ContainerContext place, String given) {
    Optional<Boolean> own =
        Optional.ofNullable(place.container().getSecurityContext())
            .map(SecurityContext::getRunAsNonRoot);
    Optional<Boolean> ofPod =
        Optional.ofNullable(pod.getSpec().getSecurityContext())
            .map(PodSecurityContext::getRunAsNonRoot);
    String user = given.isEmpty() ? place.image().username() : given;
    if (own.or(() -> ofPod).orElse(false) && user.equalsIgnoreCase(ADMINISTRATOR)) {
      throw new ConfigException(
          "container's runAsUser (%s) which will be regarded as root identity and will break non-root policy (pod: \"%s_%s(%s)\", container: %s)"
              .formatted(
                  user,
                  pod.getMetadata().getName(),
                  pod.getMetadata().getNamespace(),
                  pod.getMetadata().getUid(),
                  place.container().getName()));
    }
  }

  private static WindowsContainerSecurityContext ofContainer(Pod pod, Container container) {
    WindowsContainerSecurityContext.Builder context = WindowsContainerSecurityContext.newBuilder();
    // Later settings override earlier ones.
    for (Optional<WindowsSecurityContextOptions> options :
        Stream.of(options(pod), options(container)).toList()) {
      set(options, WindowsSecurityContextOptions::getRunAsUserName, context::setRunAsUsername);
      set(
          options,
          WindowsSecurityContextOptions::getGmsaCredentialSpec,
          context::setCredentialSpec);
      set(options, WindowsSecurityContextOptions::getHostProcess, context::setHostProcess);
    }
    return context.build();
  }

  /// All containers of a pod must agree on HostProcess: it is a property of the sandbox.
  private static boolean isOfHost(Pod pod) {
    long ofHost = containers(pod).filter(container -> isOfHost(pod, container)).count();
    if (ofHost > 0 && ofHost < containers(pod).count()) {
      throw new ConfigException(
          "pod must not contain both HostProcess and non-HostProcess containers");
    }
    return ofHost > 0;
  }

  private static boolean isOfHost(Pod pod, Container container) {
    return ofContainer(pod, container).getHostProcess();
  }

  private static Stream<Container> containers(Pod pod) {
    return Stream.concat(
        pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream());
  }

  private static Optional<WindowsSecurityContextOptions> options(Pod pod) {
    return Optional.ofNullable(pod.getSpec().getSecurityContext())
        .map(PodSecurityContext::getWindowsOptions);
  }

  private static Optional<WindowsSecurityContextOptions> options(Container container) {
    return Optional.ofNullable(container.getSecurityContext())
        .map(SecurityContext::getWindowsOptions);
  }

  private static <T> void set(
      Optional<WindowsSecurityContextOptions> options,
      Function<WindowsSecurityContextOptions, @Nullable T> field,
      Consumer<T> into) {
    options.map(field).ifPresent(into);
  }
}
