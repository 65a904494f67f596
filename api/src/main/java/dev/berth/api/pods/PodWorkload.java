package dev.berth.api.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// The workload that a pod runs instead of containers, such as a virtual machine.
///
/// @param tree the object in the field of the type; changes of it change the pod
public record PodWorkload(WorkloadType type, ObjectNode tree) {
  /// The workloads in a pod's `spec` beside its containers: at most one in a valid pod.
  public static List<PodWorkload> in(JsonNode spec) {
    List<PodWorkload> found = List.of();
    for (WorkloadType type : WorkloadType.withField()) {
      if (spec.get(type.field()) instanceof ObjectNode tree) {
        // Nearly every pod has containers only, and every write calls this: no list is allocated
        // for them.
        found = found.isEmpty() ? new ArrayList<>() : found;
        found.add(new PodWorkload(type, tree));
      }
    }
    return found;
  }
}
