package dev.berth.agent.pods.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.pods.PodAnnotations;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/// What makes a pod of a manifest, and the pod that stands for it in the API.
public final class StaticPod {
  static final String NO_POD = "it is no pod with metadata.name and spec";
  private static final String HASH = "kubernetes.io/config.hash";

  private StaticPod() {}

  /// A change of what is written makes it another pod.
  ///
  /// @param content what is written, without how
  static Pod of(Pod written, Path file, String content, String node) {
    String name = written.getMetadata() == null ? null : written.getMetadata().getName();
    if (name == null || name.isEmpty() || written.getSpec() == null) {
      throw new IllegalArgumentException(NO_POD);
    }
    String namespace = written.getMetadata().getNamespace();
    String uid =
        UUID.nameUUIDFromBytes(
                (node + "\n" + file + "\n" + content).getBytes(StandardCharsets.UTF_8))
            .toString();
    return new PodBuilder(written)
        .editMetadata()
        .withName(name + "-" + node)
        .withNamespace(namespace == null || namespace.isEmpty() ? "default" : namespace)
        .withUid(uid)
        .addToAnnotations(PodAnnotations.SOURCE, "file")
        .addToAnnotations(HASH, uid)
        .endMetadata()
        .editSpec()
        .withNodeName(node)
        // It is this node's to end it: nobody else could start it again elsewhere.
        .addNewToleration()
        .withOperator("Exists")
        .withEffect("NoExecute")
        .endToleration()
        .endSpec()
        .build();
  }

  public static boolean isStatic(Pod pod) {
    return "file".equals(annotations(pod).get(PodAnnotations.SOURCE)) && !isMirror(pod);
  }

  /// Whether it only shows a static pod.
  public static boolean isMirror(Pod pod) {
    return annotations(pod).containsKey(PodAnnotations.MIRROR);
  }

  public static boolean isMirror(JsonNode pod) {
    return pod.path("metadata").path("annotations").has(PodAnnotations.MIRROR);
  }

  /// The UID of the static pod that a pod in the API shows; empty when it shows none.
  public static String shownBy(Pod mirror) {
    return annotations(mirror).getOrDefault(PodAnnotations.MIRROR, "");
  }

  /// The pod that stands for it in the API: it belongs to its node, and goes with it.
  public static Pod mirror(Pod pod, String nodeUid) {
    return new PodBuilder(pod)
        .editMetadata()
        .withUid(null)
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("Node")
                .withName(pod.getSpec().getNodeName())
                .withUid(nodeUid)
                .withController(true)
                .build())
        .addToAnnotations(PodAnnotations.MIRROR, pod.getMetadata().getUid())
        .endMetadata()
        .withStatus(null)
        .build();
  }

  private static Map<String, String> annotations(Pod pod) {
    Map<String, String> annotations = pod.getMetadata().getAnnotations();
    return annotations == null ? Map.of() : annotations;
  }
}
