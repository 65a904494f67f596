package dev.berth.server.admission.runtimeclass;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.pods.PodPlatform;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds the features that a pod needs and not every runtime supports, with the fields that need
/// them.
final class PodRuntimeDemands {
  /// Names of the features; an administrator may declare each of them unsupported by a class.
  static final Set<String> KNOWN =
      Set.of(
          "hostNetwork",
          "hostPID",
          "hostIPC",
          "hostPath",
          "privileged",
          "devices",
          "userNamespaces",
          "recursiveReadOnlyMounts",
          "linux",
          "windows");

  private static final List<String> CONTAINERS =
      List.of("initContainers", "containers", "ephemeralContainers");

  private PodRuntimeDemands() {}

  /// The first field that needs a feature, by feature.
  static Map<String, String> of(JsonNode spec) {
    Map<String, String> demands = new LinkedHashMap<>();
    for (String host : List.of("hostNetwork", "hostPID", "hostIPC")) {
      if (spec.path(host).asBoolean()) {
        demands.put(host, "spec." + host);
      }
    }
    if (spec.path("hostUsers").isBoolean() && !spec.path("hostUsers").booleanValue()) {
      demands.put("userNamespaces", "spec.hostUsers: false");
    }
    for (JsonNode volume : spec.path("volumes")) {
      if (volume.has("hostPath")) {
        demands.putIfAbsent("hostPath", "spec.volumes[" + volume.path("name").asText() + "]");
      }
    }
    String os = PodPlatform.os(spec);
    if (!os.isEmpty()) {
      demands.put(os, "spec.os.name");
    }
    for (String list : CONTAINERS) {
      for (JsonNode container : spec.path(list)) {
        String at = "spec." + list + "[" + container.path("name").asText() + "]";
        ofContainer(container).forEach(word -> demands.putIfAbsent(word, at));
      }
    }
    return demands;
  }

  private static List<String> ofContainer(JsonNode container) {
    List<String> words = new ArrayList<>();
    if (container.path("securityContext").path("privileged").asBoolean()) {
      words.add("privileged");
    }
    if (!container.path("volumeDevices").isEmpty() || wantsDevices(container)) {
      words.add("devices");
    }
    for (JsonNode mount : container.path("volumeMounts")) {
      if (mount.path("recursiveReadOnly").asText().equals("Enabled")) {
        words.add("recursiveReadOnlyMounts");
      }
    }
    return words;
  }

  /// Extended resources come from device plugins.
  ///
  /// Names without a prefix and names in the domain `kubernetes.io` are no extended resources.
  private static boolean wantsDevices(JsonNode container) {
    for (var amount : container.path("resources").path("limits").properties()) {
      String name = amount.getKey();
      if (name.contains("/") && !name.substring(0, name.indexOf('/')).endsWith("kubernetes.io")) {
        return true;
      }
    }
    return false;
  }
}
