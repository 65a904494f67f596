package dev.berth.agent.pods.config.linux;

import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.config.ContainerContext;
import dev.berth.cri.v1.Capability;
import dev.berth.cri.v1.Int64Value;
import dev.berth.cri.v1.LinuxContainerSecurityContext;
import dev.berth.cri.v1.LinuxSandboxSecurityContext;
import dev.berth.cri.v1.NamespaceMode;
import dev.berth.cri.v1.NamespaceOption;
import dev.berth.cri.v1.SELinuxOption;
import dev.berth.cri.v1.SecurityProfile;
import dev.berth.cri.v1.SupplementalGroupsPolicy;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SELinuxOptions;
import io.fabric8.kubernetes.api.model.SeccompProfile;
import io.fabric8.kubernetes.api.model.SecurityContext;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Users, capabilities and profiles of containers; a container's setting overrides its pod's.
final class LinuxSecurity {
  /// The kubelet's lists for `procMount: Default`: these files show or change the host.
  private static final List<String> MASKED =
      List.of(
          "/proc/asound",
          "/proc/acpi",
          "/proc/interrupts",
          "/proc/kcore",
          "/proc/keys",
          "/proc/latency_stats",
          "/proc/timer_list",
          "/proc/timer_stats",
          "/proc/sched_debug",
          "/proc/scsi",
          "/sys/firmware",
          "/sys/devices/virtual/powercap");

  private static final List<String> READ_ONLY =
      List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

  private LinuxSecurity() {}

  /// The sandbox never gets the pod's own seccomp profile, which may forbid system calls that the
  /// sandbox needs.
  static LinuxSandboxSecurityContext ofSandbox(Pod pod) {
    PodSecurityContext own = of(pod);
    LinuxSandboxSecurityContext.Builder context =
        LinuxSandboxSecurityContext.newBuilder()
            .setNamespaceOptions(namespaces(pod, null))
            .setPrivileged(hasPrivileged(pod))
            .setSeccomp(
                SecurityProfile.newBuilder()
                    .setProfileType(SecurityProfile.ProfileType.RuntimeDefault));
    if (own.getRunAsUser() != null) {
      context.setRunAsUser(number(own.getRunAsUser()));
      if (own.getRunAsGroup() != null) {
        context.setRunAsGroup(number(own.getRunAsGroup())); // Runtimes refuse one without a user.
      }
    }
    if (own.getSeLinuxOptions() != null) {
      context.setSelinuxOptions(selinux(own.getSeLinuxOptions()));
    }
    return context
        .addAllSupplementalGroups(groups(own))
        .setSupplementalGroupsPolicy(groupsPolicy(own))
        .build();
  }

  static LinuxContainerSecurityContext ofContainer(
      Pod pod, ContainerContext place, String seccompDirectory) {
    PodSecurityContext ofPod = of(pod);
    SecurityContext own = of(place.container());
    boolean privileged = Boolean.TRUE.equals(own.getPrivileged());
    LinuxContainerSecurityContext.Builder context =
        LinuxContainerSecurityContext.newBuilder()
            .setNamespaceOptions(namespaces(pod, place.targetId()))
            .setPrivileged(privileged)
            .setReadonlyRootfs(Boolean.TRUE.equals(own.getReadOnlyRootFilesystem()))
            .setNoNewPrivs(Boolean.FALSE.equals(own.getAllowPrivilegeEscalation()))
            .addAllSupplementalGroups(groups(ofPod))
            .setSupplementalGroupsPolicy(groupsPolicy(ofPod))
            .setSeccomp(containerSeccomp(ofPod, own, privileged, seccompDirectory));
    setUser(context, pod, own, place);
    AppArmor.of(pod, place.container()).ifPresent(profile -> profile.fill(context));
    if (own.getCapabilities() != null) {
      context.setCapabilities(
          Capability.newBuilder()
              .addAllAddCapabilities(own.getCapabilities().getAdd())
              .addAllDropCapabilities(own.getCapabilities().getDrop()));
    }
    SELinuxOptions label = first(own.getSeLinuxOptions(), ofPod.getSeLinuxOptions());
    if (label != null) {
      context.setSelinuxOptions(selinux(label));
    }
    if (!privileged && !"Unmasked".equals(own.getProcMount())) {
      context.addAllMaskedPaths(MASKED).addAllReadonlyPaths(READ_ONLY);
    }
    return context.build();
  }

  /// Upstream's order: the container's user, the pod's, the image's number, the image's name.
  private static void setUser(
      LinuxContainerSecurityContext.Builder context,
      Pod pod,
      SecurityContext own,
      ContainerContext place) {
    PodSecurityContext ofPod = of(pod);
    Long user = first(own.getRunAsUser(), ofPod.getRunAsUser());
    Long group = first(own.getRunAsGroup(), ofPod.getRunAsGroup());
    boolean nonRoot = Boolean.TRUE.equals(first(own.getRunAsNonRoot(), ofPod.getRunAsNonRoot()));
    if (nonRoot) {
      requireNonRoot(pod, place, user);
    }
    if (user != null) {
      context.setRunAsUser(number(user));
    } else if (place.image().uid() != null) {
      context.setRunAsUser(number(place.image().uid()));
    } else if (!place.image().username().isEmpty()) {
      context.setRunAsUsername(place.image().username());
    } else if (group != null) {
      context.setRunAsUser(number(0)); // The image's; runtimes refuse a group without a user.
    }
    if (group != null) {
      context.setRunAsGroup(number(group));
    }
  }

  /// A user name proves nothing: the image's own `/etc/passwd` says which number it has, and that
  /// may be 0.
  private static void requireNonRoot(Pod pod, ContainerContext place, @Nullable Long user) {
    var metadata = pod.getMetadata();
    String whose =
        "(pod: \"%s_%s(%s)\", container: %s)"
            .formatted(
                metadata.getName(),
                metadata.getNamespace(),
                metadata.getUid(),
                place.container().getName());
    if (user != null) {
      if (user == 0) {
        throw new ConfigException("container's runAsUser breaks non-root policy " + whose);
      }
      return;
    }
    if (!place.image().username().isEmpty()) {
      throw new ConfigException(
          "container has runAsNonRoot and image has non-numeric user (%s), cannot verify user is non-root %s"
              .formatted(place.image().username(), whose));
    }
    if (place.image().uid() == null || place.image().uid() == 0) {
      throw new ConfigException("container has runAsNonRoot and image will run as root " + whose);
    }
  }

  /// An ephemeral container with a target joins the target's processes, whatever the pod shares.
  private static NamespaceOption namespaces(Pod pod, @Nullable String targetId) {
    NamespaceOption.Builder options =
        NamespaceOption.newBuilder()
            .setNetwork(hostOr(pod.getSpec().getHostNetwork(), NamespaceMode.POD))
            .setIpc(hostOr(pod.getSpec().getHostIPC(), NamespaceMode.POD))
            .setPid(
                hostOr(
                    pod.getSpec().getHostPID(),
                    Boolean.TRUE.equals(pod.getSpec().getShareProcessNamespace())
                        ? NamespaceMode.POD
                        : NamespaceMode.CONTAINER));
    if (targetId != null) {
      options.setPid(NamespaceMode.TARGET).setTargetId(targetId);
    }
    return options.build();
  }

  private static NamespaceMode hostOr(@Nullable Boolean host, NamespaceMode otherwise) {
    return Boolean.TRUE.equals(host) ? NamespaceMode.NODE : otherwise;
  }

  /// A privileged container has no profile, even if one is asked for, as with the kubelet.
  private static SecurityProfile containerSeccomp(
      PodSecurityContext ofPod, SecurityContext own, boolean privileged, String directory) {
    SeccompProfile profile = first(own.getSeccompProfile(), ofPod.getSeccompProfile());
    return privileged || profile == null
        ? SecurityProfile.newBuilder()
            .setProfileType(SecurityProfile.ProfileType.Unconfined)
            .build()
        : seccomp(profile, directory);
  }

  private static SecurityProfile seccomp(SeccompProfile profile, String directory) {
    return switch (Objects.requireNonNullElse(profile.getType(), "")) {
      case "RuntimeDefault" ->
          SecurityProfile.newBuilder()
              .setProfileType(SecurityProfile.ProfileType.RuntimeDefault)
              .build();
      case "Localhost" ->
          SecurityProfile.newBuilder()
              .setProfileType(SecurityProfile.ProfileType.Localhost)
              .setLocalhostRef(directory + "/" + profile.getLocalhostProfile())
              .build();
      default ->
          SecurityProfile.newBuilder()
              .setProfileType(SecurityProfile.ProfileType.Unconfined)
              .build();
    };
  }

  /// The group of `fsGroup` owns the volumes, so every process of the pod is a member of it.
  private static List<Long> groups(PodSecurityContext context) {
    List<Long> groups = new java.util.ArrayList<>(context.getSupplementalGroups());
    if (context.getFsGroup() != null) {
      groups.add(context.getFsGroup());
    }
    return groups;
  }

  /// KEP-3619. A runtime that does not know the field merges the groups of the image.
  private static SupplementalGroupsPolicy groupsPolicy(PodSecurityContext context) {
    return "Strict".equals(context.getSupplementalGroupsPolicy())
        ? SupplementalGroupsPolicy.Strict
        : SupplementalGroupsPolicy.Merge;
  }

  /// Ephemeral containers count, too: runtimes refuse a privileged container in an unprivileged
  /// sandbox.
  private static boolean hasPrivileged(Pod pod) {
    PodSpec spec = pod.getSpec();
    return Stream.of(
            spec.getInitContainers().stream().map(Container::getSecurityContext),
            spec.getContainers().stream().map(Container::getSecurityContext),
            spec.getEphemeralContainers().stream().map(EphemeralContainer::getSecurityContext))
        .flatMap(contexts -> contexts)
        .anyMatch(context -> context != null && Boolean.TRUE.equals(context.getPrivileged()));
  }

  private static SELinuxOption selinux(SELinuxOptions options) {
    Function<@Nullable String, String> text = value -> Optional.ofNullable(value).orElse("");
    return SELinuxOption.newBuilder()
        .setUser(text.apply(options.getUser()))
        .setRole(text.apply(options.getRole()))
        .setType(text.apply(options.getType()))
        .setLevel(text.apply(options.getLevel()))
        .build();
  }

  private static PodSecurityContext of(Pod pod) {
    return Objects.requireNonNullElseGet(
        pod.getSpec().getSecurityContext(), PodSecurityContext::new);
  }

  private static SecurityContext of(Container container) {
    return Objects.requireNonNullElseGet(container.getSecurityContext(), SecurityContext::new);
  }

  private static <T> @Nullable T first(@Nullable T own, @Nullable T otherwise) {
    return own != null ? own : otherwise;
  }

  private static Int64Value number(long value) {
    return Int64Value.newBuilder().setValue(value).build();
  }
}
