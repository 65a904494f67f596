package dev.berth.controllers.workloads;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.pods.PodPhase;
import dev.berth.client.ObjectKey;
import java.time.Duration;
import java.time.Instant;

/// The fields of a pod that workload controllers need.
///
/// @param node empty while the pod is not bound
/// @param place the node that it is bound to, or the only one that its affinity allows; empty when
///   it may get any
/// @param readySince when it became ready; `Instant.MAX` while it is not
/// @param deletionCost the annotation `controller.kubernetes.io/pod-deletion-cost`
public record WorkloadPod(
    ObjectIdentity identity,
    String node,
    String place,
    String phase,
    Instant readySince,
    Instant created,
    int restarts,
    int deletionCost) {
  private static final String COST = "controller.kubernetes.io/pod-deletion-cost";

  private static final JsonPointer ONLY_NODE =
      JsonPointer.compile(
          "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0");

  public static WorkloadPod of(JsonNode pod) {
    JsonNode status = pod.path("status");
    return new WorkloadPod(
        ObjectIdentity.of(pod),
        pod.path("spec").path("nodeName").asText(),
        place(pod.path("spec")),
        status.path("phase").asText(),
        readySince(status.path("conditions")),
        time(pod.path("metadata").path("creationTimestamp"), Instant.EPOCH),
        restarts(status.path("containerStatuses")),
        cost(pod.path("metadata").path("annotations").path(COST).asText()));
  }

  private static String place(JsonNode spec) {
    String node = spec.path("nodeName").asText();
    JsonNode field = spec.at(ONLY_NODE);
    return node.isEmpty() && field.path("key").asText().equals("metadata.name")
        ? field.path("values").path(0).asText()
        : node;
  }

  private static Instant readySince(JsonNode conditions) {
    for (JsonNode condition : conditions) {
      if (condition.path("type").asText().equals("Ready")
          && condition.path("status").asText().equals("True")) {
        return time(condition.path("lastTransitionTime"), Instant.EPOCH);
      }
    }
    return Instant.MAX;
  }

  private static Instant time(JsonNode text, Instant otherwise) {
    // It may also be null.
    return text.isTextual() ? Instant.parse(text.asText()) : otherwise;
  }

  private static int restarts(JsonNode statuses) {
    return statuses.valueStream().mapToInt(one -> one.path("restartCount").asInt()).max().orElse(0);
  }

  /// The deletion cost; an annotation that is no number counts as zero, as upstream has it.
  private static int cost(String text) {
    try {
      return text.isEmpty() ? 0 : Integer.parseInt(text);
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  public ObjectKey key() {
    return identity.key();
  }

  public String uid() {
    return identity.uid();
  }

  /// Whether it is neither finished nor being deleted.
  public boolean isActive() {
    return !isFinished() && !identity.isBeingDeleted();
  }

  public boolean isFinished() {
    return PodPhase.isFinished(phase);
  }

  public boolean isReady() {
    return !readySince.equals(Instant.MAX);
  }

  /// Whether it has been ready for `minReadySeconds`.
  public boolean isAvailable(Duration atLeast, Instant now) {
    return isReady() && (atLeast.isZero() || !readySince.plus(atLeast).isAfter(now));
  }
}
