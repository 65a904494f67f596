package dev.berth.server.podsecurity;

import static dev.berth.server.podsecurity.CheckedPod.containersNamed;
import static dev.berth.server.podsecurity.CheckedPod.plural;
import static dev.berth.server.podsecurity.CheckedPod.quoted;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Checks of kernel confinement: seccomp, AppArmor, SELinux, sysctls.
final class ProfileChecks {
  private static final String SECCOMP_OF_POD = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String SECCOMP_OF_CONTAINER =
      "container.seccomp.security.alpha.kubernetes.io/";
  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final Set<String> CONFINED = Set.of("RuntimeDefault", "Localhost");

  private ProfileChecks() {}

  /// Checks the annotations, since there were no fields before Kubernetes 1.19.
  static Optional<PolicyViolation> seccompAnnotations(CheckedPod pod) {
    Set<String> keys = new TreeSet<>();
    keys.add(SECCOMP_OF_POD);
    pod.containers().forEach(one -> keys.add(SECCOMP_OF_CONTAINER + CheckedPod.name(one)));
    List<String> forbidden =
        keys.stream()
            .filter(key -> pod.annotations().hasNonNull(key))
            .filter(key -> !isConfinedSeccomp(pod.annotations().path(key).asText()))
            .map(key -> key + "=" + quoted(List.of(pod.annotations().path(key).asText())))
            .toList();
    return forbidden.isEmpty()
        ? Optional.empty()
        : seccomp(
            "forbidden %s %s"
                .formatted(plural("annotation", forbidden.size()), String.join(", ", forbidden)));
  }

  private static boolean isConfinedSeccomp(String value) {
    return value.equals("runtime/default")
        || value.equals("docker/default")
        || value.startsWith("localhost/");
  }

  static Optional<PolicyViolation> seccompFields(CheckedPod pod) {
    Profiles profiles = Profiles.of(pod, "seccompProfile");
    return profiles.setters().isEmpty()
        ? Optional.empty()
        : seccomp(
            "%s must not set securityContext.seccompProfile.type to %s"
                .formatted(String.join(" and ", profiles.setters()), quoted(profiles.values())));
  }

  /// A profile of the pod covers all containers without one of their own.
  static Optional<PolicyViolation> seccompRequired(CheckedPod pod) {
    Optional<PolicyViolation> wrong = seccompFields(pod);
    if (wrong.isPresent() || type(pod.securityContext(), "seccompProfile").isPresent()) {
      return wrong;
    }
    List<String> silent =
        pod.containersThat(
            container -> type(container.path("securityContext"), "seccompProfile").isEmpty());
    return silent.isEmpty()
        ? Optional.empty()
        : seccomp(
            "pod or "
                + containersNamed(silent)
                + " must set securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                + " \"Localhost\"");
  }

  private static Optional<PolicyViolation> seccomp(String detail) {
    return Optional.of(new PolicyViolation("seccompProfile", detail));
  }

  static Optional<PolicyViolation> appArmor(CheckedPod pod) {
    Profiles profiles = Profiles.of(pod, "appArmorProfile");
    List<String> setters = new ArrayList<>(profiles.setters());
    List<String> values = new ArrayList<>(profiles.values());
    Set<String> annotations = new TreeSet<>();
    pod.annotations()
        .properties()
        .forEach(
            entry -> {
              String value = entry.getValue().asText();
              if (entry.getKey().startsWith(APP_ARMOR) && !isConfinedAppArmor(value)) {
                annotations.add(entry.getKey() + "=" + quoted(List.of(value)));
              }
            });
    if (!annotations.isEmpty()) {
      setters.add(plural("annotation", annotations.size()));
      values.addAll(annotations);
    }
    return setters.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PolicyViolation(
                plural("forbidden AppArmor profile", values.size()),
                "%s must not set AppArmor profile type to %s"
                    .formatted(String.join(" and ", setters), quoted(values))));
  }

  private static boolean isConfinedAppArmor(String value) {
    return value.isEmpty() || value.equals("runtime/default") || value.startsWith("localhost/");
  }

  /// What sets an unconfined profile, and the values.
  private record Profiles(List<String> setters, Set<String> values) {
    static Profiles of(CheckedPod pod, String field) {
      Set<String> values = new TreeSet<>();
      Predicate<JsonNode> isBad =
          securityContext -> {
            Optional<String> type = type(securityContext, field).filter(t -> !CONFINED.contains(t));
            type.ifPresent(values::add);
            return type.isPresent();
          };
      boolean ofPod = isBad.test(pod.securityContext());
      List<String> ofContainers =
          pod.containersThat(container -> isBad.test(container.path("securityContext")));
      return new Profiles(CheckedPod.setters(ofPod, ofContainers), values);
    }
  }

  /// The type of a profile; empty when there is no profile.
  private static Optional<String> type(JsonNode securityContext, String field) {
    return securityContext.hasNonNull(field)
        ? Optional.of(securityContext.path(field).path("type").asText())
        : Optional.empty();
  }

  /// @param types those that a pod may name
  static PodCheck seLinux(Set<String> types) {
    return pod -> {
      Set<String> bad = new TreeSet<>();
      Set<String> others = new TreeSet<>();
      Predicate<JsonNode> isBad =
          securityContext -> {
            JsonNode options = securityContext.path("seLinuxOptions");
            String type = options.path("type").asText();
            boolean badType = !type.isEmpty() && !types.contains(type);
            if (badType) {
              bad.add(type);
            }
            boolean other = false;
            for (String field : List.of("user", "role")) {
              if (!options.path(field).asText().isEmpty()) {
                others.add(field);
                other = true;
              }
            }
            return badType || other;
          };
      boolean ofPod = isBad.test(pod.securityContext());
      List<String> setters =
          CheckedPod.setters(
              ofPod, pod.containersThat(one -> isBad.test(one.path("securityContext"))));
      return setters.isEmpty()
          ? Optional.empty()
          : Optional.of(new PolicyViolation("seLinuxOptions", seLinux(setters, bad, others)));
    };
  }

  private static String seLinux(List<String> setters, Set<String> types, Set<String> others) {
    List<String> data = new ArrayList<>();
    if (!types.isEmpty()) {
      data.add(plural("type", types.size()) + " " + quoted(types));
    }
    for (String field : List.of("user", "role")) {
      if (others.contains(field)) {
        data.add(field + " may not be set");
      }
    }
    return "%s set forbidden securityContext.seLinuxOptions: %s"
        .formatted(String.join(" and ", setters), String.join("; ", data));
  }

  /// @param safe those that a pod may set
  static PodCheck sysctls(Set<String> safe) {
    return pod -> {
      List<String> forbidden =
          pod.securityContext()
              .path("sysctls")
              .valueStream()
              .map(sysctl -> sysctl.path("name").asText())
              .filter(name -> !safe.contains(name))
              .toList();
      return forbidden.isEmpty()
          ? Optional.empty()
          : Optional.of(new PolicyViolation("forbidden sysctls", String.join(", ", forbidden)));
    };
  }
}
