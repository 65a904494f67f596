package dev.berth.server.podsecurity;

import static dev.berth.server.podsecurity.CheckedPod.plural;
import static dev.berth.server.podsecurity.CheckedPod.quoted;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Checks of the volume types that a restricted pod may use.
final class VolumeChecks {
  private static final Set<String> ALLOWED =
      Set.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "image",
          "persistentVolumeClaim",
          "projected",
          "secret");

  private VolumeChecks() {}

  static Optional<PolicyViolation> restricted(CheckedPod pod) {
    List<String> names = new ArrayList<>();
    Set<String> types = new TreeSet<>();
    for (JsonNode volume : pod.spec().path("volumes")) {
      List<String> sources = sources(volume);
      if (sources.stream().noneMatch(ALLOWED::contains)) {
        names.add(volume.path("name").asText());
        types.add(sources.isEmpty() ? "unknown" : sources.getFirst());
      }
    }
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PolicyViolation(
                "restricted volume types",
                "%s %s %s %s %s"
                    .formatted(
                        plural("volume", names.size()),
                        quoted(names),
                        names.size() == 1 ? "uses" : "use",
                        plural("restricted volume type", types.size()),
                        quoted(types))));
  }

  /// Every field except the name is a volume source.
  ///
  /// New volume types are so restricted until they are added to the list.
  private static List<String> sources(JsonNode volume) {
    return volume
        .propertyStream()
        .filter(field -> !field.getKey().equals("name") && !field.getValue().isNull())
        .map(field -> field.getKey())
        .toList();
  }
}
