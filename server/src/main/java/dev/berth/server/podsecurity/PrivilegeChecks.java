package dev.berth.server.podsecurity;

import static dev.berth.server.podsecurity.CheckedPod.containersNamed;
import static dev.berth.server.podsecurity.CheckedPod.isFalse;
import static dev.berth.server.podsecurity.CheckedPod.isTrue;
import static dev.berth.server.podsecurity.CheckedPod.quoted;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Checks of privileges: capabilities, users, privileged containers, escalation.
final class PrivilegeChecks {
  private static final Set<String> DEFAULT_CAPABILITIES =
      Set.of(
          "AUDIT_WRITE",
          "CHOWN",
          "DAC_OVERRIDE",
          "FOWNER",
          "FSETID",
          "KILL",
          "MKNOD",
          "NET_BIND_SERVICE",
          "SETFCAP",
          "SETGID",
          "SETPCAP",
          "SETUID",
          "SYS_CHROOT");

  private PrivilegeChecks() {}

  static Optional<PolicyViolation> privileged(CheckedPod pod) {
    List<String> bad = pod.containersThat(container -> isTrue(context(container, "privileged")));
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PolicyViolation(
                "privileged",
                containersNamed(bad) + " must not set securityContext.privileged=true"));
  }

  static Optional<PolicyViolation> escalation(CheckedPod pod) {
    List<String> bad =
        pod.containersThat(container -> !isFalse(context(container, "allowPrivilegeEscalation")));
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PolicyViolation(
                "allowPrivilegeEscalation != false",
                containersNamed(bad) + " must set securityContext.allowPrivilegeEscalation=false"));
  }

  static Optional<PolicyViolation> addedCapabilities(CheckedPod pod) {
    return added(pod, DEFAULT_CAPABILITIES)
        .map(detail -> new PolicyViolation("non-default capabilities", detail));
  }

  static Optional<PolicyViolation> restrictedCapabilities(CheckedPod pod) {
    List<String> details = new ArrayList<>();
    List<String> keeping = pod.containersThat(container -> !dropsAll(container));
    if (!keeping.isEmpty()) {
      details.add(
          containersNamed(keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
    }
    added(pod, Set.of("NET_BIND_SERVICE")).ifPresent(details::add);
    return details.isEmpty()
        ? Optional.empty()
        : Optional.of(new PolicyViolation("unrestricted capabilities", String.join("; ", details)));
  }

  /// Upstream compares the exact word, so `all` does not count.
  private static boolean dropsAll(JsonNode container) {
    return context(container, "capabilities")
        .path("drop")
        .valueStream()
        .anyMatch(capability -> capability.asText().equals("ALL"));
  }

  private static Optional<String> added(CheckedPod pod, Set<String> allowed) {
    List<String> bad = new ArrayList<>();
    Set<String> forbidden = new TreeSet<>();
    for (JsonNode container : pod.containers()) {
      List<String> own =
          context(container, "capabilities")
              .path("add")
              .valueStream()
              .map(JsonNode::asText)
              .filter(capability -> !allowed.contains(capability))
              .toList();
      if (!own.isEmpty()) {
        bad.add(CheckedPod.name(container));
        forbidden.addAll(own);
      }
    }
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s must not include %s in securityContext.capabilities.add"
                .formatted(containersNamed(bad), quoted(forbidden)));
  }

  /// A container's own value wins over that of the pod, so both are looked at; silence is enough
  /// only if the pod says true.
  static Optional<PolicyViolation> runAsNonRoot(CheckedPod pod) {
    JsonNode ofPod = pod.securityContext().path("runAsNonRoot");
    List<String> setters =
        CheckedPod.setters(
            isFalse(ofPod),
            pod.containersThat(container -> isFalse(context(container, "runAsNonRoot"))));
    if (!setters.isEmpty()) {
      return nonRoot(
          String.join(" and ", setters) + " must not set securityContext.runAsNonRoot=false");
    }
    List<String> silent =
        isTrue(ofPod)
            ? List.of()
            : pod.containersThat(container -> !context(container, "runAsNonRoot").isBoolean());
    return silent.isEmpty()
        ? Optional.empty()
        : nonRoot(
            "pod or " + containersNamed(silent) + " must set securityContext.runAsNonRoot=true");
  }

  private static Optional<PolicyViolation> nonRoot(String detail) {
    return Optional.of(new PolicyViolation("runAsNonRoot != true", detail));
  }

  static Optional<PolicyViolation> runAsUser(CheckedPod pod) {
    List<String> setters =
        CheckedPod.setters(
            isRoot(pod.securityContext()),
            pod.containersThat(container -> isRoot(container.path("securityContext"))));
    return setters.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PolicyViolation(
                "runAsUser=0", String.join(" and ", setters) + " must not set runAsUser=0"));
  }

  private static boolean isRoot(JsonNode securityContext) {
    JsonNode user = securityContext.path("runAsUser");
    return user.isNumber() && user.longValue() == 0;
  }

  static Optional<PolicyViolation> procMount(CheckedPod pod) {
    List<String> bad = new ArrayList<>();
    Set<String> types = new TreeSet<>();
    for (JsonNode container : pod.containers()) {
      JsonNode type = context(container, "procMount");
      if (type.isTextual() && !type.textValue().equals("Default")) {
        bad.add(CheckedPod.name(container));
        types.add(type.textValue());
      }
    }
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PolicyViolation(
                "procMount",
                containersNamed(bad)
                    + " must not set securityContext.procMount to "
                    + quoted(types)));
  }

  private static JsonNode context(JsonNode container, String field) {
    return container.path("securityContext").path(field);
  }
}
