package dev.berth.server.admission.podsecurity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;

/// Whether an update of a pod changes a field that a security policy checks: images, the old
/// seccomp annotations, and added containers.
///
/// All other fields that policies check are immutable. An update that changes nothing of it must
/// pass even if the policy became stricter meanwhile: controllers must still remove finalizers of
/// old pods.
final class PodUpdate {
  private static final String SECCOMP_OF_POD = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String SECCOMP_OF_CONTAINER =
      "container.seccomp.security.alpha.kubernetes.io/";

  private final JsonNode pod;
  private final JsonNode old;

  private PodUpdate(JsonNode pod, JsonNode old) {
    this.pod = pod;
    this.old = old;
  }

  static boolean isSignificant(JsonNode pod, JsonNode old) {
    return new PodUpdate(pod, old).isSignificant();
  }

  private boolean isSignificant() {
    return differs(SECCOMP_OF_POD)
        || listDiffers("containers")
        || listDiffers("initContainers")
        || ephemeralContainersDiffer();
  }

  private boolean listDiffers(String list) {
    JsonNode now = pod.path("spec").path(list);
    JsonNode before = old.path("spec").path(list);
    if (now.size() != before.size()) {
      return true;
    }
    for (int i = 0; i < now.size(); i++) {
      if (containerDiffers(now.get(i), before.get(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean ephemeralContainersDiffer() {
    Map<String, JsonNode> before = new HashMap<>();
    old.path("spec")
        .path("ephemeralContainers")
        .forEach(container -> before.put(container.path("name").asText(), container));
    for (JsonNode container : pod.path("spec").path("ephemeralContainers")) {
      JsonNode same = before.get(container.path("name").asText());
      if (same == null || containerDiffers(container, same)) {
        return true;
      }
    }
    return false;
  }

  private boolean containerDiffers(JsonNode now, JsonNode before) {
    return !now.path("image").asText().equals(before.path("image").asText())
        || differs(SECCOMP_OF_CONTAINER + now.path("name").asText());
  }

  private boolean differs(String annotation) {
    return !annotation(pod, annotation).equals(annotation(old, annotation));
  }

  private static String annotation(JsonNode object, String key) {
    return object.path("metadata").path("annotations").path(key).asText();
  }
}
