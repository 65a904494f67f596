package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodPlatform;

/// Synchronizes the AppArmor annotations of a new pod with the fields that replaced them.
///
/// Old node agents read the annotations, new clients write the fields, so a new pod gets both.
/// Where both are present they stay as they are; validation compares them.
final class PodAppArmor {
  private static final String ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";
  private static final String LOCALHOST = "localhost/";

  /// Upstream's bound for the name of a local profile: the length of a path in Linux.
  private static final int MAX_PROFILE = 4095;

  private final ObjectNode pod;

  PodAppArmor(ObjectNode pod) {
    this.pod = pod;
  }

  void synchronize() {
    JsonNode spec = pod.path("spec");
    if (PodPlatform.isForWindows(spec)) {
      return;
    }
    JsonNode podProfile = spec.path("securityContext").path("appArmorProfile");
    PodTree.each(spec, "initContainers", container -> synchronize(container, podProfile));
    PodTree.each(spec, "containers", container -> synchronize(container, podProfile));
    PodTree.each(spec, "ephemeralContainers", container -> synchronize(container, podProfile));
  }

  private void synchronize(ObjectNode container, JsonNode podProfile) {
    JsonNode own = container.path("securityContext").path("appArmorProfile");
    JsonNode annotations = pod.path("metadata").path("annotations");
    String key = ANNOTATION + PodTree.text(container, "name");
    if (annotations.has(key)) {
      if (!own.isObject()) {
        fieldFromAnnotation(container, annotations.path(key).asText(), podProfile);
      }
      return;
    }
    String value = annotation(own.isObject() ? own : podProfile);
    if (!value.isEmpty()) {
      pod.withObjectProperty("metadata").withObjectProperty("annotations").put(key, value);
    }
  }

  private static void fieldFromAnnotation(
      ObjectNode container, String annotation, JsonNode podProfile) {
    ObjectNode profile = container.objectNode();
    if (profile(annotation, profile) && !profile.equals(podProfile)) {
      container.withObjectProperty("securityContext").set("appArmorProfile", profile);
    }
  }

  private static String annotation(JsonNode profile) {
    return switch (PodTree.text(profile, "type")) {
      case "Unconfined" -> "unconfined";
      case "RuntimeDefault" -> "runtime/default";
      case "Localhost" ->
          profile.has("localhostProfile")
              ? LOCALHOST + PodTree.text(profile, "localhostProfile")
              : "";
      default -> "";
    };
  }

  /// Sets the profile of an annotation; returns false for an unknown annotation value.
  private static boolean profile(String annotation, ObjectNode profile) {
    switch (annotation) {
      case "unconfined" -> profile.put("type", "Unconfined");
      case "runtime/default" -> profile.put("type", "RuntimeDefault");
      default -> {
        String name =
            annotation.startsWith(LOCALHOST) ? annotation.substring(LOCALHOST.length()) : "";
        if (name.isEmpty() || !name.equals(name.strip()) || name.length() > MAX_PROFILE) {
          return false;
        }
        profile.put("type", "Localhost").put("localhostProfile", name);
      }
    }
    return true;
  }
}
