package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.Objects;

/// Writes the volume mounts of container statuses.
///
/// @param recursion whether the runtime can make mounts below a mount read-only (KEP-3857)
record MountStatuses(boolean recursion) {
  private static final String FIELD = "volumeMounts";

  /// Mounts of a container never change, so its last status is kept.
  void addTo(ObjectNode status, List<VolumeMount> mounts) {
    if (mounts.isEmpty() || status.has(FIELD)) {
      return;
    }
    ArrayNode list = status.putArray(FIELD);
    for (VolumeMount mount : mounts) {
      ObjectNode one = list.addObject();
      one.put("name", mount.getName()).put("mountPath", mount.getMountPath());
      if (Boolean.TRUE.equals(mount.getReadOnly())) {
        one.put("readOnly", true);
        one.put("recursiveReadOnly", isRecursive(mount) ? "Enabled" : "Disabled");
      }
    }
  }

  private boolean isRecursive(VolumeMount mount) {
    return switch (Objects.requireNonNullElse(mount.getRecursiveReadOnly(), "")) {
      case "Enabled", "IfPossible" -> recursion;
      default -> false;
    };
  }
}
