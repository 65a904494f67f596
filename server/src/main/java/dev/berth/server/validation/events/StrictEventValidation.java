package dev.berth.server.validation.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import dev.berth.server.validation.fields.NameRules;
import java.util.List;

/// The rules of Event in events.k8s.io/v1: all descriptive fields are required and immutable, only
/// the series changes. Fields have the names of core/v1, as in upstream's messages, except the
/// controller's.
final class StrictEventValidation implements KindValidator {
  private static final String CONTROLLER = "reportingController";
  private static final List<String> TYPES = List.of("Normal", "Warning");
  private static final String UNSET = "needs to be unset";
  // An event that occurred once is no series.
  private static final int SHORTEST_SERIES = 2;

  // An event is a statement about the past; only how often it was repeated may change.
  private static final List<Fixed> FIXED =
      List.of(
          Fixed.of("involvedObject"),
          Fixed.of("reason"),
          Fixed.of("message"),
          Fixed.of("source"),
          Fixed.of("firstTimestamp"),
          Fixed.of("lastTimestamp"),
          Fixed.of("count"),
          Fixed.of("type"),
          Fixed.of("eventTime"),
          Fixed.of("action"),
          Fixed.of("related"),
          new Fixed("reportingComponent", CONTROLLER),
          Fixed.of("reportingInstance"));

  @Override
  public void onCreate(ObjectNode event, FieldErrors errors) {
    EventValidation.check(event, CONTROLLER, errors);
    String name = event.path("metadata").path("name").asText();
    errors.invalid(FieldPath.of("metadata").child("name"), name, NameRules.dns1123Subdomain(name));
    checkSeries(event, errors);
    if (!event.hasNonNull("eventTime")) {
      errors.required(FieldPath.of("eventTime"), "");
    }
    String type = event.path("type").asText();
    if (!TYPES.contains(type)) {
      errors.invalid(FieldPath.of("type"), "", "has invalid value: " + type);
    }
    checkUnset(event, errors);
  }

  private static void checkSeries(ObjectNode event, FieldErrors errors) {
    JsonNode series = event.path("series");
    if (!series.isObject()) {
      return;
    }
    if (series.path("count").asInt() < SHORTEST_SERIES) {
      errors.invalid(FieldPath.of("series").child("count"), "", "should be at least 2");
    }
    if (!series.hasNonNull("lastObservedTime")) {
      errors.required(FieldPath.of("series").child("lastObservedTime"), "");
    }
  }

  /// Deprecated fields, which only core/v1 uses, must be empty.
  private static void checkUnset(ObjectNode event, FieldErrors errors) {
    for (String field : List.of("firstTimestamp", "lastTimestamp")) {
      if (event.hasNonNull(field)) {
        errors.invalid(FieldPath.of(field), "", UNSET);
      }
    }
    if (event.path("count").asInt() != 0) {
      errors.invalid(FieldPath.of("count"), "", UNSET);
    }
    JsonNode source = event.path("source");
    if (!source.path("component").asText().isEmpty() || !source.path("host").asText().isEmpty()) {
      errors.invalid(FieldPath.of("source"), "", UNSET);
    }
  }

  @Override
  public void onUpdate(ObjectNode event, ObjectNode old, FieldErrors errors) {
    EventValidation.check(event, CONTROLLER, errors);
    if (!event.path("series").equals(old.path("series"))) {
      checkSeries(event, errors);
    }
    for (Fixed field : FIXED) {
      JsonNode value = event.path(field.name());
      if (!value.equals(old.path(field.name()))) {
        errors.invalid(FieldPath.of(field.shown()), orNull(value), CommonChecks.IMMUTABLE);
      }
    }
  }

  private static JsonNode orNull(JsonNode value) {
    return value.isMissingNode() ? NullNode.getInstance() : value;
  }

  /// An immutable field.
  ///
  /// @param shown its name in messages
  private record Fixed(String name, String shown) {
    private static Fixed of(String name) {
      return new Fixed(name, name);
    }
  }
}
