package dev.berth.agent.pods.config.linux;

import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.config.PodLabels;
import dev.berth.cri.v1.LinuxContainerSecurityContext;
import dev.berth.cri.v1.SecurityProfile;
import dev.berth.cri.v1.SecurityProfile.ProfileType;
import io.fabric8.kubernetes.api.model.AppArmorProfile;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The AppArmor profile of a container: its own, else the deprecated annotation's, which static
/// pods may have, else the pod's.
///
/// @param name a profile that is loaded on the node; empty for other types
public record AppArmor(ProfileType type, String name) {
  private static final String ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";
  private static final String LOCAL = "localhost/";
  private static final String UNCONFINED = "unconfined";

  static Optional<AppArmor> of(Pod pod, Container container) {
    return Optional.ofNullable(container.getSecurityContext())
        .map(SecurityContext::getAppArmorProfile)
        .map(AppArmor::read)
        .or(() -> annotated(pod, container.getName()))
        .or(() -> ofPod(pod));
  }

  /// Whether the pod or one of its containers asks for a profile.
  static boolean isWanted(Pod pod) {
    PodSecurityContext ofPod = pod.getSpec().getSecurityContext();
    return (ofPod != null && confines(ofPod.getAppArmorProfile()))
        || Stream.of(pod.getSpec().getInitContainers(), pod.getSpec().getContainers())
            .flatMap(List::stream)
            .map(Container::getSecurityContext)
            .anyMatch(context -> context != null && confines(context.getAppArmorProfile()))
        || PodLabels.orEmpty(pod.getMetadata().getAnnotations()).entrySet().stream()
            .anyMatch(
                one ->
                    one.getKey().startsWith(ANNOTATION)
                        && !List.of("", UNCONFINED).contains(one.getValue()));
  }

  private static boolean confines(@Nullable AppArmorProfile profile) {
    return profile != null && !"Unconfined".equals(profile.getType());
  }

  private static Optional<AppArmor> ofPod(Pod pod) {
    return Optional.ofNullable(pod.getSpec().getSecurityContext())
        .map(PodSecurityContext::getAppArmorProfile)
        .map(AppArmor::read);
  }

  private static AppArmor read(AppArmorProfile profile) {
    return switch (profile.getType()) {
      case "RuntimeDefault" -> new AppArmor(ProfileType.RuntimeDefault, "");
      case "Unconfined" -> new AppArmor(ProfileType.Unconfined, "");
      case "Localhost" -> {
        if (profile.getLocalhostProfile() == null) {
          throw new ConfigException("missing localhost apparmor profile name");
        }
        yield new AppArmor(ProfileType.Localhost, profile.getLocalhostProfile());
      }
      case String other -> throw new ConfigException("unknown AppArmor profile type: " + other);
    };
  }

  private static Optional<AppArmor> annotated(Pod pod, String container) {
    String value =
        PodLabels.orEmpty(pod.getMetadata().getAnnotations())
            .getOrDefault(ANNOTATION + container, "");
    return switch (value) {
      case "" -> Optional.empty();
      case "runtime/default" -> Optional.of(new AppArmor(ProfileType.RuntimeDefault, ""));
      case UNCONFINED -> Optional.of(new AppArmor(ProfileType.Unconfined, ""));
      case String local when local.startsWith(LOCAL) ->
          Optional.of(new AppArmor(ProfileType.Localhost, local.substring(LOCAL.length())));
      case String other -> throw new ConfigException("unknown AppArmor profile: " + other);
    };
  }

  /// Older runtimes read only the deprecated text field.
  @SuppressWarnings("deprecation")
  void fill(LinuxContainerSecurityContext.Builder context) {
    context
        .setApparmor(SecurityProfile.newBuilder().setProfileType(type).setLocalhostRef(name))
        .setApparmorProfile(
            switch (type) {
              case RuntimeDefault -> "runtime/default";
              case Unconfined, UNRECOGNIZED -> UNCONFINED;
              case Localhost -> LOCAL + name;
            });
  }
}
