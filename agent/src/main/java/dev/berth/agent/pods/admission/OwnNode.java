package dev.berth.agent.pods.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.references.PodJson;
import dev.berth.agent.pods.status.FailureReason;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.api.RequiredNodeAffinity;
import dev.berth.api.Taint;
import dev.berth.api.Taint.Effect;
import dev.berth.api.pods.PodPlatform;
import dev.berth.api.pods.PodSource;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What this node's object says to a pod that is to run here: labels that it asks for, taints that
/// drive it away.
///
/// From a cache; before a pod is refused the server is asked, so that a cache that is late fails no
/// pod.
public final class OwnNode {
  private static final String DRIVEN_AWAY = "node(s) had taints that the pod didn't tolerate";

  private final ObjectKey key;
  private final Informer<ObjectNode> cache;
  private final ResourceClient<ObjectNode> server;

  public OwnNode(String name, Informer<ObjectNode> cache, ResourceClient<ObjectNode> server) {
    this.key = ObjectKey.clusterScoped(name);
    this.cache = cache;
    this.server = server;
  }

  /// Why a pod does not belong here; one that was taken before stays, whatever became of the node.
  ///
  /// @throws dev.berth.client.ClientException when that cannot be found out
  Optional<PodFailure> refusal(Pod pod) {
    boolean wasTaken = pod.getStatus() != null && pod.getStatus().getStartTime() != null;
    if (wasTaken || PodSource.isStatic(pod)) {
      return Optional.empty();
    }
    JsonNode spec = PodJson.placement(pod.getSpec());
    Optional<ObjectNode> cached = cache.get(key);
    boolean mayBeTaken =
        cached.isPresent()
            ? refusal(spec, cached.get()).isEmpty()
            : RequiredNodeAffinity.parse(spec).isAny();
    // A node that is not registered (yet) says nothing.
    return mayBeTaken
        ? Optional.empty()
        : server.find(key).flatMap(current -> refusal(spec, current));
  }

  /// Why a pod that names a version of its operating system, or an architecture, does not belong
  /// here. Asked once its handler is known: under Hyper-V older builds run.
  Optional<PodFailure> otherPlatform(Pod pod, PodPlatform.Isolation isolation) {
    return cache.get(key).flatMap(node -> otherPlatform(pod, node, isolation));
  }

  static Optional<PodFailure> otherPlatform(
      Pod pod, JsonNode node, PodPlatform.Isolation isolation) {
    Map<String, String> labels = labels(node);
    // SystemRules judges the operating system, in upstream's words.
    return PodPlatform.of(pod)
        .withoutOs()
        .mismatch(labels, isolation)
        .map(
            why ->
                PodFailure.rejected(
                    FailureReason.PLATFORM,
                    "Failed to admit pod as %s (this node: architecture \"%s\", build \"%s\")"
                        .formatted(
                            why.replaceFirst("^node\\(s\\) didn't", "the node doesn't"),
                            labels.getOrDefault(PodPlatform.ARCHITECTURE_LABEL, ""),
                            labels.getOrDefault(PodPlatform.BUILD_LABEL, ""))));
  }

  private static Map<String, String> labels(JsonNode node) {
    Map<String, String> labels = new HashMap<>();
    node.path("metadata")
        .path("labels")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    return labels;
  }

  static Optional<PodFailure> refusal(JsonNode spec, JsonNode node) {
    String name = node.path("metadata").path("name").asText();
    if (!RequiredNodeAffinity.parse(spec).matches(name, labels(node))) {
      return Optional.of(
          PodAdmissionQueue.failed(FailureReason.NODE_AFFINITY, RequiredNodeAffinity.MISMATCH));
    }
    // Whoever named this node itself does not mind the other taints.
    return node.path("spec")
        .path("taints")
        .valueStream()
        .map(Taint::parse)
        .filter(taint -> taint.effect() == Effect.NO_EXECUTE)
        .filter(taint -> !taint.isTolerated(spec.path("tolerations")))
        .findFirst()
        .map(_ -> PodAdmissionQueue.failed(FailureReason.TAINT_TOLERATION, DRIVEN_AWAY));
  }
}
