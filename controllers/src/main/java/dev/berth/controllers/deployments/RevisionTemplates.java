package dev.berth.controllers.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controllers.workloads.GeneratedNames;
import dev.berth.controllers.workloads.WorkloadOwner;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Maps the templates of a Deployment to ReplicaSets; pure. Labels, annotations and the hash in
/// names have upstream's form, because kubectl reads them for history and rollback.
final class RevisionTemplates {
  static final String HASH = "pod-template-hash";

  /// The earlier numbers of a revision that was rolled back to, as kubectl shows them.
  private static final String HISTORY = "deployment.kubernetes.io/revision-history";

  /// Annotations of the Deployment that are not copied to its ReplicaSets.
  private static final Set<String> NOT_COPIED =
      Set.of(
          "kubectl.kubernetes.io/last-applied-configuration",
          DeploymentRevision.NUMBER,
          HISTORY,
          DeploymentRevision.WANTED,
          DeploymentRevision.MOST,
          "deprecated.deployment.rollback.to");

  private RevisionTemplates() {}

  /// The set with the Deployment's current template; the oldest one if there are several.
  static Optional<DeploymentRevision> find(JsonNode deployment, List<DeploymentRevision> sets) {
    JsonNode wanted = deployment.path("spec").path("template");
    return sets.stream()
        .filter(one -> withoutHash(one.set().path("spec").path("template")).equals(wanted))
        .min(
            Comparator.comparing(DeploymentRevision::created)
                .thenComparing(DeploymentRevision::name));
  }

  static JsonNode withoutHash(JsonNode template) {
    JsonNode copy = template.deepCopy();
    if (copy.path("metadata").path("labels") instanceof ObjectNode labels) {
      labels.remove(HASH);
      if (labels.isEmpty() && copy.path("metadata") instanceof ObjectNode metadata) {
        metadata.remove("labels");
      }
    }
    return copy;
  }

  /// A new set for the template, without replicas and annotations.
  static ObjectNode make(WorkloadOwner deployment) {
    JsonNode spec = deployment.tree().path("spec");
    int collisions = deployment.tree().path("status").path("collisionCount").asInt();
    String hash = GeneratedNames.hash(spec.path("template"), collisions);
    ObjectNode set = JsonNodeFactory.instance.objectNode();
    set.put("apiVersion", "apps/v1").put("kind", "ReplicaSet");
    ObjectNode metadata = set.putObject("metadata");
    metadata.put("namespace", deployment.identity().key().namespace());
    metadata.put("name", deployment.identity().key().name() + "-" + hash);
    ObjectNode template = spec.path("template").deepCopy();
    template.withObject("/metadata").withObject("/labels").put(HASH, hash);
    metadata.set("labels", template.path("metadata").path("labels").deepCopy());
    metadata.putArray("ownerReferences").add(deployment.reference());
    ObjectNode wanted = set.putObject("spec");
    wanted.set("minReadySeconds", JsonNodeFactory.instance.numberNode(minimum(spec)));
    ObjectNode selector = spec.path("selector").deepCopy();
    // The hash in the selector keeps sets of one Deployment from claiming each other's pods.
    selector.withObject("/matchLabels").put(HASH, hash);
    wanted.set("selector", selector);
    wanted.set("template", template);
    return set;
  }

  private static int minimum(JsonNode spec) {
    return spec.path("minReadySeconds").asInt();
  }

  /// The desired set: with the Deployment's annotations, revision number and `minReadySeconds`.
  ///
  /// @param old the other sets, whose revisions are lower
  static ObjectNode updated(JsonNode deployment, ObjectNode set, List<DeploymentRevision> old) {
    ObjectNode next = set.deepCopy();
    ObjectNode annotations = next.withObject("/metadata").withObject("/annotations");
    deployment
        .path("metadata")
        .path("annotations")
        .propertyStream()
        .filter(entry -> !NOT_COPIED.contains(entry.getKey()))
        .forEach(entry -> annotations.set(entry.getKey(), entry.getValue()));
    // A rollback gives an old set the highest number; its earlier numbers move into the history.
    long number = 1 + old.stream().mapToLong(DeploymentRevision::number).max().orElse(0);
    long before = DeploymentRevision.numberOf(set);
    if (before < number) {
      annotations.put(DeploymentRevision.NUMBER, Long.toString(number));
      if (before > 0) {
        String history = annotations.path(HISTORY).asText();
        annotations.put(HISTORY, history.isEmpty() ? "" + before : history + "," + before);
      }
    }
    int minimum = minimum(deployment.path("spec"));
    if (next.path("spec").path("minReadySeconds").asInt() != minimum) {
      next.withObject("/spec").put("minReadySeconds", minimum);
    }
    return next;
  }

  /// The set with another number of replicas, and the annotations that record the decision.
  static ObjectNode scaled(ObjectNode set, int replicas, RolloutStrategy strategy) {
    ObjectNode next = set.deepCopy();
    if (next.path("spec").path("replicas").asInt(1) != replicas
        || !next.path("spec").has("replicas")) {
      next.withObject("/spec").put("replicas", replicas);
    }
    next.withObject("/metadata")
        .withObject("/annotations")
        .put(DeploymentRevision.WANTED, Integer.toString(strategy.wanted()))
        .put(DeploymentRevision.MOST, Integer.toString(strategy.most()));
    return next;
  }
}
