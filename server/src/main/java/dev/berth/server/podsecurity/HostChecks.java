package dev.berth.server.podsecurity;

import static dev.berth.server.podsecurity.CheckedPod.containersNamed;
import static dev.berth.server.podsecurity.CheckedPod.isTrue;
import static dev.berth.server.podsecurity.CheckedPod.plural;
import static dev.berth.server.podsecurity.CheckedPod.quoted;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Checks of access to the node: host namespaces, paths, ports and processes.
///
/// The texts name all offenders at once, so that a manifest can be corrected in one go.
final class HostChecks {
  private static final List<String> HOST_NAMESPACES = List.of("hostNetwork", "hostPID", "hostIPC");
  private static final List<String> PROBES =
      List.of("livenessProbe", "readinessProbe", "startupProbe");
  private static final List<String> HOOKS = List.of("postStart", "preStop");

  private HostChecks() {}

  static Optional<PolicyViolation> namespaces(CheckedPod pod) {
    List<String> shared =
        HOST_NAMESPACES.stream()
            .filter(field -> isTrue(pod.spec().path(field)))
            .map(field -> field + "=true")
            .toList();
    return shared.isEmpty()
        ? Optional.empty()
        : Optional.of(new PolicyViolation("host namespaces", String.join(", ", shared)));
  }

  static Optional<PolicyViolation> pathVolumes(CheckedPod pod) {
    List<String> names = new ArrayList<>();
    for (JsonNode volume : pod.spec().path("volumes")) {
      if (volume.hasNonNull("hostPath")) {
        names.add(volume.path("name").asText());
      }
    }
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PolicyViolation(
                "hostPath volumes", plural("volume", names.size()) + " " + quoted(names)));
  }

  static Optional<PolicyViolation> ports(CheckedPod pod) {
    List<String> users = new ArrayList<>();
    Set<String> ports = new TreeSet<>();
    for (JsonNode container : pod.containers()) {
      List<String> own = new ArrayList<>();
      for (JsonNode port : container.path("ports")) {
        if (port.path("hostPort").asInt() != 0) {
          own.add(port.path("hostPort").asText());
        }
      }
      if (!own.isEmpty()) {
        users.add(CheckedPod.name(container));
        ports.addAll(own);
      }
    }
    return users.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PolicyViolation(
                "hostPort",
                "%s %s %s %s"
                    .formatted(
                        containersNamed(users),
                        users.size() == 1 ? "uses" : "use",
                        plural("hostPort", ports.size()),
                        String.join(", ", ports))));
  }

  /// Forbids probes and hooks that the kubelet would send to another host than the pod.
  static Optional<PolicyViolation> probesAndHooks(CheckedPod pod) {
    Set<String> users = new TreeSet<>();
    Set<String> hosts = new TreeSet<>();
    for (JsonNode container : pod.containers()) {
      List<JsonNode> actions = new ArrayList<>();
      PROBES.forEach(probe -> actions.add(container.path(probe)));
      HOOKS.forEach(hook -> actions.add(container.path("lifecycle").path(hook)));
      for (JsonNode action : actions) {
        for (String sort : List.of("httpGet", "tcpSocket")) {
          String host = action.path(sort).path("host").asText();
          if (!host.isEmpty()) {
            users.add(CheckedPod.name(container));
            hosts.add(host);
          }
        }
      }
    }
    return users.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PolicyViolation(
                "probe or lifecycle host",
                "%s %s %s %s"
                    .formatted(
                        containersNamed(List.copyOf(users)),
                        users.size() == 1 ? "uses" : "use",
                        plural("probe or lifecycle host", hosts.size()),
                        quoted(hosts))));
  }

  static Optional<PolicyViolation> windowsHostProcess(CheckedPod pod) {
    List<String> setters =
        CheckedPod.setters(
            isHostProcess(pod.securityContext()),
            pod.containersThat(container -> isHostProcess(container.path("securityContext"))));
    return setters.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PolicyViolation(
                "hostProcess",
                String.join(" and ", setters)
                    + " must not set securityContext.windowsOptions.hostProcess=true"));
  }

  private static boolean isHostProcess(JsonNode securityContext) {
    return isTrue(securityContext.path("windowsOptions").path("hostProcess"));
  }
}
