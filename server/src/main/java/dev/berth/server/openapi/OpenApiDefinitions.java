package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.SchemaField;
import dev.berth.server.schema.ValueShape;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/// The schemas of all types by their OpenAPI names, in one dialect.
///
/// An instance serves the making of the documents of one dialect and is confined to one thread.
final class OpenApiDefinitions {
  /// Required upstream. In Berth a pod may be a virtual machine without containers, and clients
  /// that validate must accept it.
  private static final String CONTAINERS = "core.v1.PodSpec.containers";

  private final Map<String, ObjectType> types = new HashMap<>();
  // Cache, because many documents contain the same definitions.
  private final Map<String, ObjectNode> made = new HashMap<>();
  private final OpenApiVersion dialect;
  private final GvkIndex gvks;
  private final OpenApiDescriptions descriptions;

  OpenApiDefinitions(
      OpenApiVersion dialect,
      ObjectSchema schema,
      GvkIndex gvks,
      OpenApiDescriptions descriptions) {
    this.dialect = dialect;
    schema.types().forEach(type -> types.put(OpenApiNames.definition(type.name()), type));
    this.gvks = gvks;
    this.descriptions = descriptions;
  }

  /// The given definitions and all definitions that they refer to.
  ///
  /// Types refer to each other in cycles, so visited ones are remembered.
  NavigableSet<String> closure(Collection<String> roots) {
    NavigableSet<String> found = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(roots);
    while (!open.isEmpty()) {
      String name = open.pop();
      if (found.add(name)) {
        collectReferences(definition(name), open);
      }
    }
    return found;
  }

  private void collectReferences(JsonNode node, Deque<String> into) {
    if (node.path("$ref").isTextual()) {
      into.add(node.get("$ref").textValue().substring(dialect.reference("").length()));
    }
    node.forEach(child -> collectReferences(child, into));
  }

  ObjectNode definition(String name) {
    return made.computeIfAbsent(name, this::make);
  }

  private ObjectNode make(String name) {
    ObjectType type = types.get(name);
    if (type != null) {
      return object(name, type);
    }
    return name.endsWith("List") && types.containsKey(elementOf(name))
        ? list(name)
        : BuiltInDefinitions.definition(name, dialect, gvks.of(name));
  }

  private ObjectNode object(String name, ObjectType type) {
    ObjectNode definition = JsonTrees.object();
    putUnlessEmpty(definition, "description", descriptions.ofType(type.name()));
    definition.put("type", "object");
    ObjectNode properties = definition.putObject("properties");
    ArrayNode required = JsonTrees.array();
    for (SchemaField field : type.fields()) {
      properties.set(field.name(), property(type, field));
      if (field.required() && !(type.name() + "." + field.name()).equals(CONTAINERS)) {
        required.add(field.name());
      }
    }
    if (!required.isEmpty()) {
      definition.set("required", required);
    }
    if (type.atomic()) {
      definition.put("x-kubernetes-map-type", "atomic");
    }
    gvks.addTo(definition, name);
    return definition;
  }

  private ObjectNode property(ObjectType owner, SchemaField field) {
    ObjectNode property = shape(field.shape());
    String description = descriptions.ofField(owner.name(), field.name());
    String value = dialect == OpenApiVersion.V3 ? defaultOf(field) : "";
    // OpenAPI 3 ignores siblings of a reference, so it is wrapped in `allOf`.
    if (dialect == OpenApiVersion.V3
        && property.has("$ref")
        && !(description.isEmpty() && value.isEmpty())) {
      ObjectNode reference = property;
      property = JsonTrees.object();
      property.putArray("allOf").add(reference);
    }
    putUnlessEmpty(property, "description", description);
    if (!value.isEmpty()) {
      property.set("default", JsonTrees.parseTrusted(value.getBytes(StandardCharsets.UTF_8)));
    }
    MergeExtensions.add(property, field);
    return property;
  }

  /// Upstream's default of a required scalar is its zero value.
  private static String defaultOf(SchemaField field) {
    if (!field.schemaDefault().isEmpty() || !field.required() || field.pointer()) {
      return field.schemaDefault();
    }
    return field.shape() == ValueShape.Scalar.STRING ? "\"\"" : "";
  }

  private ObjectNode shape(ValueShape shape) {
    return switch (shape) {
      case ValueShape.Scalar scalar -> BuiltInDefinitions.scalar(scalar, dialect);
      case ValueShape.ListOf(ValueShape element) -> {
        ObjectNode list = JsonTrees.object().put("type", "array");
        list.set("items", shape(element));
        yield list;
      }
      case ValueShape.MapOf(ValueShape value) -> {
        ObjectNode map = JsonTrees.object().put("type", "object");
        map.set("additionalProperties", shape(value));
        yield map;
      }
      case ValueShape.Struct(ObjectType type) ->
          JsonTrees.object().put("$ref", dialect.reference(OpenApiNames.definition(type.name())));
    };
  }

  /// The list of a type whose list is not in the tables, because nothing but OpenAPI needs it.
  private ObjectNode list(String name) {
    ObjectNode definition = JsonTrees.object().put("type", "object");
    ObjectNode properties = definition.putObject("properties");
    for (String field : List.of("apiVersion", "kind")) {
      putUnlessEmpty(
          properties.putObject(field).put("type", "string"),
          "description",
          descriptions.ofField("*", field));
    }
    properties.putObject("metadata").put("$ref", dialect.reference(OpenApiNames.meta("ListMeta")));
    properties
        .putObject("items")
        .put("type", "array")
        .putObject("items")
        .put("$ref", dialect.reference(elementOf(name)));
    definition.putArray("required").add("items");
    gvks.addTo(definition, name);
    return definition;
  }

  private static String elementOf(String list) {
    return list.substring(0, list.length() - "List".length());
  }

  static void putUnlessEmpty(ObjectNode node, String field, String value) {
    if (!value.isEmpty()) {
      node.put(field, value);
    }
  }
}
