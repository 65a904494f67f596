package dev.berth.api.pods;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;

/// The source of a pod: the API server, or a manifest file on its node (a static pod, which the API
/// server shows as a mirror pod).
public final class PodSource {
  /// The value of [PodAnnotations#SOURCE] on a static pod.
  public static final String FILE = "file";

  private PodSource() {}

  public static boolean isStatic(Pod pod) {
    return FILE.equals(annotations(pod).get(PodAnnotations.SOURCE)) && !isMirror(pod);
  }

  /// Whether the pod only shows a static pod.
  public static boolean isMirror(Pod pod) {
    return annotations(pod).containsKey(PodAnnotations.MIRROR);
  }

  public static boolean isMirror(JsonNode pod) {
    return pod.path("metadata").path("annotations").has(PodAnnotations.MIRROR);
  }

  /// The UID of the static pod that a mirror pod shows; empty for any other pod.
  public static String mirroredUid(Pod mirror) {
    return annotations(mirror).getOrDefault(PodAnnotations.MIRROR, "");
  }

  static Map<String, String> annotations(Pod pod) {
    Map<String, String> annotations = pod.getMetadata().getAnnotations();
    return annotations == null ? Map.of() : annotations;
  }
}
