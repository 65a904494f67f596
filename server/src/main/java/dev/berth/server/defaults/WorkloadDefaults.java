package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Fills in the kinds that make pods from a template.
///
/// Values are upstream's of the `v1` versions; older served versions set theirs in their
/// conversion, before these apply.
public final class WorkloadDefaults {
  private static final int HISTORY = 10;
  private static final int PROGRESS_SECONDS = 600;
  private static final int BACKOFF = 6;
  private static final String ROLLING = "RollingUpdate";

  private WorkloadDefaults() {}

  public static void deployment(ObjectNode deployment) {
    ObjectNode spec = deployment.withObjectProperty("spec");
    template(spec);
    PodTree.absentNumber(spec, "replicas", 1);
    ObjectNode strategy = spec.withObjectProperty("strategy");
    PodTree.text(strategy, "type", ROLLING);
    if (PodTree.text(strategy, "type").equals(ROLLING)) {
      ObjectNode rolling = strategy.withObjectProperty("rollingUpdate");
      PodTree.absentText(rolling, "maxUnavailable", "25%");
      PodTree.absentText(rolling, "maxSurge", "25%");
    }
    PodTree.absentNumber(spec, "revisionHistoryLimit", HISTORY);
    PodTree.absentNumber(spec, "progressDeadlineSeconds", PROGRESS_SECONDS);
  }

  public static void replicaSet(ObjectNode replicaSet) {
    ObjectNode spec = replicaSet.withObjectProperty("spec");
    template(spec);
    PodTree.absentNumber(spec, "replicas", 1);
  }

  public static void daemonSet(ObjectNode daemonSet) {
    ObjectNode spec = daemonSet.withObjectProperty("spec");
    template(spec);
    ObjectNode strategy = spec.withObjectProperty("updateStrategy");
    PodTree.text(strategy, "type", ROLLING);
    if (PodTree.text(strategy, "type").equals(ROLLING)) {
      ObjectNode rolling = strategy.withObjectProperty("rollingUpdate");
      PodTree.absentNumber(rolling, "maxUnavailable", 1);
      PodTree.absentNumber(rolling, "maxSurge", 0);
    }
    PodTree.absentNumber(spec, "revisionHistoryLimit", HISTORY);
  }

  public static void statefulSet(ObjectNode statefulSet) {
    ObjectNode spec = statefulSet.withObjectProperty("spec");
    template(spec);
    PodTree.text(spec, "podManagementPolicy", "OrderedReady");
    ObjectNode strategy = spec.withObjectProperty("updateStrategy");
    if (PodTree.text(strategy, "type").isEmpty()) {
      strategy.put("type", ROLLING);
      strategy.withObjectProperty("rollingUpdate");
    }
    if (PodTree.text(strategy, "type").equals(ROLLING)) {
      PodTree.object(
          strategy, "rollingUpdate", rolling -> PodTree.absentNumber(rolling, "partition", 0));
    }
    ObjectNode retention = spec.withObjectProperty("persistentVolumeClaimRetentionPolicy");
    PodTree.text(retention, "whenDeleted", "Retain");
    PodTree.text(retention, "whenScaled", "Retain");
    PodTree.absentNumber(spec, "replicas", 1);
    PodTree.absentNumber(spec, "revisionHistoryLimit", HISTORY);
    PodTree.each(spec, "volumeClaimTemplates", WorkloadDefaults::claim);
  }

  private static void claim(ObjectNode claim) {
    claim.put("kind", "PersistentVolumeClaim").put("apiVersion", "v1");
    PodTree.text(claim.withObjectProperty("status"), "phase", "Pending");
    ObjectNode spec = claim.withObjectProperty("spec");
    PodTree.absentText(spec, "volumeMode", "Filesystem");
    PodTree.object(spec, "resources", ResourceDefaults::requirements);
    PodTree.object(claim.path("status"), "capacity", ResourceDefaults::roundUp);
    PodTree.object(claim.path("status"), "allocatedResources", ResourceDefaults::roundUp);
  }

  public static void job(ObjectNode job) {
    ObjectNode spec = job.withObjectProperty("spec");
    template(spec);
    if (!spec.hasNonNull("completions") && !spec.hasNonNull("parallelism")) {
      spec.put("completions", 1);
    }
    PodTree.absentNumber(spec, "parallelism", 1);
    PodTree.absentNumber(
        spec,
        "backoffLimit",
        spec.hasNonNull("backoffLimitPerIndex") ? Integer.MAX_VALUE : BACKOFF);
    JsonNode labels = spec.path("template").path("metadata").path("labels");
    ObjectNode metadata = job.withObjectProperty("metadata");
    if (metadata.path("labels").isEmpty() && !labels.isEmpty()) {
      metadata.set("labels", labels.deepCopy());
    }
    PodTree.absentText(spec, "completionMode", "NonIndexed");
    absentFlag(spec, "suspend");
    boolean failurePolicy = spec.hasNonNull("podFailurePolicy");
    PodTree.absentText(
        spec, "podReplacementPolicy", failurePolicy ? "Failed" : "TerminatingOrFailed");
    absentFlag(spec, "manualSelector");
    PodTree.each(
        spec.path("podFailurePolicy"),
        "rules",
        rule ->
            PodTree.each(
                rule, "onPodConditions", pattern -> PodTree.text(pattern, "status", "True")));
  }

  private static void absentFlag(ObjectNode object, String field) {
    if (!object.hasNonNull(field)) {
      object.put(field, false);
    }
  }

  private static void template(ObjectNode spec) {
    PodTemplateDefaults.apply(spec.withObjectProperty("template"));
  }
}
