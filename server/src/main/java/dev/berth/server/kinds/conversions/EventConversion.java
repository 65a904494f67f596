package dev.berth.server.kinds.conversions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.VersionConversion;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The fields of an event under the names of events.k8s.io/v1.
///
/// Both versions are one stored object: an event that is written by either is seen by both.
public final class EventConversion implements VersionConversion {
  /// Field names of events.k8s.io/v1 and core/v1; other fields have the same name.
  private static final Map<String, String> NAMES =
      Map.of(
          "regarding", "involvedObject",
          "note", "message",
          "reportingController", "reportingComponent",
          "deprecatedSource", "source",
          "deprecatedFirstTimestamp", "firstTimestamp",
          "deprecatedLastTimestamp", "lastTimestamp",
          "deprecatedCount", "count");

  /// Names that only core/v1 has for its fields.
  private static final Set<String> CORE_ONLY =
      Set.of("involvedObject", "reportingComponent", "source");

  @Override
  public Optional<String> storedField(String served) {
    String first =
        served.substring(0, served.indexOf('.') < 0 ? served.length() : served.indexOf('.'));
    return CORE_ONLY.contains(first)
        ? Optional.empty()
        : Optional.of(NAMES.getOrDefault(first, first) + served.substring(first.length()));
  }

  @Override
  public ObjectNode toStored(ObjectNode served) {
    NAMES.forEach((newName, coreName) -> rename(served, newName, coreName));
    // core/v1 always prints these fields, events.k8s.io/v1 omits empty ones.
    if (!served.has("reportingComponent")) {
      served.put("reportingComponent", "");
    }
    if (!served.has("reportingInstance")) {
      served.put("reportingInstance", "");
    }
    return served;
  }

  @Override
  public ObjectNode fromStored(ObjectNode stored) {
    NAMES.forEach((newName, coreName) -> rename(stored, coreName, newName));
    removeIfEmpty(stored, "reportingController");
    removeIfEmpty(stored, "reportingInstance");
    return stored;
  }

  private static void rename(ObjectNode object, String from, String to) {
    JsonNode value = object.remove(from);
    if (value != null) {
      object.set(to, value);
    }
  }

  private static void removeIfEmpty(ObjectNode object, String field) {
    if (object.path(field).asText("").isEmpty()) {
      object.remove(field);
    }
  }
}
