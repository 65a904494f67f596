package dev.berth.server.admission.podsecurity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the pod template of workloads.
///
/// A new kind with pods needs an entry, or Pod Security would not warn about it.
final class PodTemplates {
  /// By resource and group: the JSON pointer of the template.
  private static final Map<String, String> PLACES =
      Map.ofEntries(
          Map.entry("podtemplates", "/template"),
          Map.entry("replicationcontrollers", "/spec/template"),
          Map.entry("replicasets.apps", "/spec/template"),
          Map.entry("deployments.apps", "/spec/template"),
          Map.entry("statefulsets.apps", "/spec/template"),
          Map.entry("daemonsets.apps", "/spec/template"),
          Map.entry("jobs.batch", "/spec/template"),
          Map.entry("cronjobs.batch", "/spec/jobTemplate/spec/template"));

  private PodTemplates() {}

  /// The template of a workload in a write of the whole object; null for other kinds and without a
  /// template.
  static @Nullable JsonNode of(AdmissionAttributes write, ObjectNode object) {
    String place = PLACES.get(write.kind().bucket());
    if (place == null || !write.subresource().isEmpty()) {
      return null;
    }
    JsonNode template = object.at(place);
    return template.isObject() ? template : null;
  }
}
