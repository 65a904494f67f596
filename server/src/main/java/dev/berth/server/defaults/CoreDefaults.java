package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Fills in the small kinds of the core group.
///
/// Each method is the defaults of one kind and is idempotent.
public final class CoreDefaults {
  private CoreDefaults() {}

  /// The label lets selectors name a namespace (KEP-2161); a client cannot remove it.
  public static void namespace(ObjectNode namespace) {
    String name = namespace.path("metadata").path("name").asText();
    if (!name.isEmpty()) {
      namespace
          .withObjectProperty("metadata")
          .withObjectProperty("labels")
          .put("kubernetes.io/metadata.name", name);
    }
    PodTree.text(namespace.withObjectProperty("status"), "phase", "Active");
  }

  public static void node(ObjectNode node) {
    PodTree.object(node, "spec", CoreDefaults::podRanges);
    PodTree.object(node, "status", CoreDefaults::nodeStatus);
  }

  /// `podCIDR` is the first of `podCIDRs`; where they differ, the single one is meant.
  private static void podRanges(ObjectNode spec) {
    String single = PodTree.text(spec, "podCIDR");
    JsonNode first = spec.path("podCIDRs").path(0);
    if (single.isEmpty() && first.isTextual()) {
      spec.set("podCIDR", first);
    } else if (!single.isEmpty() && !single.equals(first.asText())) {
      spec.putArray("podCIDRs").add(single);
    }
  }

  private static void nodeStatus(ObjectNode status) {
    PodTree.object(status, "capacity", ResourceDefaults::roundUp);
    if (status.path("allocatable").isEmpty() && !status.path("capacity").isEmpty()) {
      status.set("allocatable", status.path("capacity").deepCopy());
    }
    PodTree.object(status, "allocatable", ResourceDefaults::roundUp);
  }

  public static void resourceQuota(ObjectNode quota) {
    PodTree.object(quota, "spec", spec -> PodTree.object(spec, "hard", ResourceDefaults::roundUp));
    PodTree.object(
        quota,
        "status",
        status -> {
          PodTree.object(status, "hard", ResourceDefaults::roundUp);
          PodTree.object(status, "used", ResourceDefaults::roundUp);
        });
  }

  public static void secret(ObjectNode secret) {
    PodTree.text(secret, "type", "Opaque");
  }

  public static void endpoints(ObjectNode endpoints) {
    PodTree.each(
        endpoints,
        "subsets",
        subset -> PodTree.each(subset, "ports", port -> PodTree.text(port, "protocol", "TCP")));
  }

  /// Sets upstream's default: pods of the class preempt others.
  public static void priorityClass(ObjectNode priorityClass) {
    PodTree.text(priorityClass, "preemptionPolicy", "PreemptLowerPriority");
  }

  public static void csiDriver(ObjectNode driver) {
    PodTree.object(
        driver,
        "spec",
        spec -> {
          absentFlag(spec, "attachRequired", true);
          absentFlag(spec, "podInfoOnMount", false);
          absentFlag(spec, "storageCapacity", false);
          PodTree.text(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
          if (spec.path("volumeLifecycleModes").isEmpty()) {
            spec.putArray("volumeLifecycleModes").add("Persistent");
          }
          absentFlag(spec, "requiresRepublish", false);
          absentFlag(spec, "seLinuxMount", false);
        });
  }

  private static void absentFlag(ObjectNode object, String field, boolean value) {
    if (!object.hasNonNull(field)) {
      object.put(field, value);
    }
  }

  /// Completes the group of the role and of users and groups; a ServiceAccount is of the core
  /// group, whose name is empty.
  public static void roleBinding(ObjectNode binding) {
    String group = "rbac.authorization.k8s.io";
    PodTree.object(binding, "roleRef", role -> PodTree.text(role, "apiGroup", group));
    PodTree.each(
        binding,
        "subjects",
        subject -> {
          String kind = PodTree.text(subject, "kind");
          if (kind.equals("User") || kind.equals("Group")) {
            PodTree.text(subject, "apiGroup", group);
          }
        });
  }
}
