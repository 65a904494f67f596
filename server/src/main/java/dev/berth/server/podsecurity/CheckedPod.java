package dev.berth.server.podsecurity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.pods.PodPlatform;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/// A pod or pod template as the checks see it.
///
/// A virtual machine in the pod is none of its containers: what container checks ask for
/// (capabilities, users, seccomp) describes processes on the node, which a guest does not have. Its
/// pod's host namespaces, volumes and security context are checked as any pod's.
record CheckedPod(JsonNode metadata, JsonNode spec) {
  private static final List<String> LISTS =
      List.of("initContainers", "containers", "ephemeralContainers");

  List<JsonNode> containers() {
    List<JsonNode> all = new ArrayList<>();
    for (String list : LISTS) {
      spec.path(list).forEach(all::add);
    }
    return all;
  }

  /// Names of the containers that match.
  List<String> containersThat(Predicate<JsonNode> test) {
    return containers().stream().filter(test).map(CheckedPod::name).toList();
  }

  JsonNode annotations() {
    return metadata.path("annotations");
  }

  JsonNode securityContext() {
    return spec.path("securityContext");
  }

  boolean isForWindows() {
    return PodPlatform.isForWindows(spec);
  }

  boolean hasUserNamespace() {
    return isFalse(spec.path("hostUsers"));
  }

  static String name(JsonNode container) {
    return container.path("name").asText();
  }

  static boolean isTrue(JsonNode flag) {
    return flag.isBoolean() && flag.booleanValue();
  }

  /// Explicitly false, not absent.
  static boolean isFalse(JsonNode flag) {
    return flag.isBoolean() && !flag.booleanValue();
  }

  /// `container "a"`, `containers "a", "b"`.
  static String containersNamed(List<String> names) {
    return plural("container", names.size()) + " " + quoted(names);
  }

  /// Names what set a forbidden field: the pod, containers, or both.
  static List<String> setters(boolean pod, List<String> containers) {
    List<String> setters = new ArrayList<>();
    if (pod) {
      setters.add("pod");
    }
    if (!containers.isEmpty()) {
      setters.add(containersNamed(containers));
    }
    return setters;
  }

  static String plural(String word, int count) {
    return count == 1 ? word : word + "s";
  }

  static String quoted(Collection<String> items) {
    return items.isEmpty() ? "" : "\"" + String.join("\", \"", items) + "\"";
  }
}
