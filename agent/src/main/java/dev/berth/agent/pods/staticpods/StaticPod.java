package dev.berth.agent.pods.staticpods;

import dev.berth.api.pods.PodAnnotations;
import dev.berth.api.pods.PodSource;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;

/// Builds a static pod from its manifest, and the mirror pod from a static pod.
public final class StaticPod {
  static final String NO_POD = "it is not a pod with metadata.name and spec";
  private static final String HASH = "kubernetes.io/config.hash";

  private StaticPod() {}

  /// Builds the pod. Another content makes a pod with another UID.
  ///
  /// @param content the manifest in canonical form
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
        .addToAnnotations(PodAnnotations.SOURCE, PodSource.FILE)
        .addToAnnotations(HASH, uid)
        .endMetadata()
        .editSpec()
        .withNodeName(node)
        // Only this node may end the pod: no controller could start it elsewhere.
        .addNewToleration()
        .withOperator("Exists")
        .withEffect("NoExecute")
        .endToleration()
        .endSpec()
        .build();
  }

  /// The mirror pod: it belongs to its node, and is garbage-collected with it.
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
}
