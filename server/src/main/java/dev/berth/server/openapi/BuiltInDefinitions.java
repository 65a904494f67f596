package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.ValueShape;
import java.util.List;
import java.util.Map;

/// Definitions of scalars and of types that are not in the type tables.
///
/// Descriptions are Berth's own words; names and formats are upstream's.
final class BuiltInDefinitions {
  private static final String QUANTITY = OpenApiNames.API_MACHINERY + "api.resource.Quantity";
  private static final String INT_OR_STRING =
      OpenApiNames.API_MACHINERY + "util.intstr.IntOrString";
  private static final String RAW = OpenApiNames.API_MACHINERY + "runtime.RawExtension";
  private static final String VERSION_INFO = OpenApiNames.API_MACHINERY + "version.Info";
  private static final String TIME = OpenApiNames.meta("Time");
  private static final String MICRO_TIME = OpenApiNames.meta("MicroTime");
  private static final String FIELDS = OpenApiNames.meta("FieldsV1");
  static final String PATCH = OpenApiNames.meta("Patch");
  static final String WATCH_EVENT = OpenApiNames.meta("WatchEvent");

  private static final Map<String, String> DESCRIPTIONS =
      Map.of(
          QUANTITY,
          "A number with an optional decimal or binary suffix, such as 500m, 2, 1.5Gi.",
          INT_OR_STRING,
          "An integer, or a string such as a percentage or the name of a port.",
          RAW,
          "An object of any kind.",
          TIME,
          "A time in RFC 3339, whole seconds.",
          MICRO_TIME,
          "A time in RFC 3339 with microseconds.",
          FIELDS,
          "A set of fields as nested objects, keyed f:<name>, k:<keys>, v:<value>.",
          PATCH,
          "A change to an object, in the format that the Content-Type names.",
          WATCH_EVENT,
          "A change that a watch reports.",
          VERSION_INFO,
          "The version of the server.");

  private BuiltInDefinitions() {}

  static ObjectNode scalar(ValueShape.Scalar scalar, OpenApiVersion dialect) {
    return switch (scalar) {
      case STRING -> JsonTrees.object().put("type", "string");
      case BYTES -> JsonTrees.object().put("type", "string").put("format", "byte");
      case INT32 -> JsonTrees.object().put("type", "integer").put("format", "int32");
      case INT64 -> JsonTrees.object().put("type", "integer").put("format", "int64");
      case BOOL -> JsonTrees.object().put("type", "boolean");
      case TIME -> reference(TIME, dialect);
      case MICRO_TIME -> reference(MICRO_TIME, dialect);
      case QUANTITY -> reference(QUANTITY, dialect);
      case INT_OR_STRING -> reference(INT_OR_STRING, dialect);
      case FIELDS -> reference(FIELDS, dialect);
      case RAW -> reference(RAW, dialect);
    };
  }

  private static ObjectNode reference(String definition, OpenApiVersion dialect) {
    return JsonTrees.object().put("$ref", dialect.reference(definition));
  }

  static ObjectNode definition(String name, OpenApiVersion dialect, List<GroupVersionKind> gvks) {
    String description = DESCRIPTIONS.get(name);
    if (description == null) {
      throw new IllegalArgumentException("no definition " + name);
    }
    ObjectNode definition = JsonTrees.object().put("description", description);
    if (name.equals(TIME) || name.equals(MICRO_TIME)) {
      definition.put("type", "string").put("format", "date-time");
    } else if (name.equals(QUANTITY)) {
      oneType(definition, dialect, "string", "number");
    } else if (name.equals(INT_OR_STRING)) {
      oneType(definition.put("format", "int-or-string"), dialect, "integer", "string");
    } else {
      definition.put("type", "object");
    }
    if (name.equals(WATCH_EVENT)) {
      addEventFields(definition, dialect);
    } else if (name.equals(VERSION_INFO)) {
      addVersionFields(definition);
    }
    GvkIndex.addTo(definition, gvks);
    return definition;
  }

  static String versionInfo() {
    return VERSION_INFO;
  }

  /// OpenAPI 2 has no alternatives; upstream declares such values as strings.
  private static void oneType(
      ObjectNode definition, OpenApiVersion dialect, String one, String other) {
    switch (dialect) {
      case V2 -> definition.put("type", "string");
      case V3 -> {
        var alternatives = definition.putArray("oneOf");
        alternatives.addObject().put("type", one);
        alternatives.addObject().put("type", other);
      }
    }
  }

  private static void addEventFields(ObjectNode definition, OpenApiVersion dialect) {
    ObjectNode properties = definition.putObject("properties");
    properties.set("object", reference(RAW, dialect));
    properties.putObject("type").put("type", "string");
    definition.putArray("required").add("type").add("object");
  }

  private static void addVersionFields(ObjectNode definition) {
    ObjectNode properties = definition.putObject("properties");
    for (String field :
        List.of(
            "buildDate",
            "compiler",
            "gitCommit",
            "gitTreeState",
            "gitVersion",
            "goVersion",
            "major",
            "minor",
            "platform")) {
      properties.putObject(field).put("type", "string");
    }
    definition.putArray("required").add("major").add("minor").add("gitVersion");
  }
}
