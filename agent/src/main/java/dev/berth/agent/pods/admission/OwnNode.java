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

/// Checks a pod against this node's object: required labels, and taints.
///
/// The node comes from a cache. Before a pod is refused the API server is asked, so that a late
/// cache fails no pod.
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

  /// Why this node refuses a pod. An admitted pod stays, whatever changes on the node.
  ///
  /// @throws dev.berth.client.ClientException when the API server cannot be asked
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
    // A node that is not registered yet refuses nothing.
    return mayBeTaken
        ? Optional.empty()
        : server.find(key).flatMap(current -> refusal(spec, current));
  }

  /// Why this node refuses a pod that asks for an OS version or an architecture. Checked once the
  /// handler is known: Hyper-V isolation runs older builds.
  Optional<PodFailure> otherPlatform(Pod pod, PodPlatform.Isolation isolation) {
    return cache.get(key).flatMap(node -> otherPlatform(pod, node, isolation));
  }

  static Optional<PodFailure> otherPlatform(
      Pod pod, JsonNode node, PodPlatform.Isolation isolation) {
    Map<String, String> labels = labels(node);
    // SystemRules checks the operating system, with upstream's messages.
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
    // A pod that names its node itself only has to tolerate NoExecute taints.
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
