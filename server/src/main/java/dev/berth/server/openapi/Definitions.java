package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.Json;
import dev.berth.server.schema.Field;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.Schema;
import dev.berth.server.schema.Shape;
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
final class Definitions {
  /// Required upstream; here a pod may be a virtual machine, and clients that check by themselves
  /// must let it pass.
  private static final String CONTAINERS = "core.v1.PodSpec.containers";

  private final Map<String, ObjectType> types = new HashMap<>();
  // Many documents contain the same definitions.
  private final Map<String, ObjectNode> made = new HashMap<>();
  private final Dialect dialect;
  private final GvkIndex gvks;
  private final Descriptions descriptions;

  Definitions(Dialect dialect, Schema schema, GvkIndex gvks, Descriptions descriptions) {
    this.dialect = dialect;
    schema.types().forEach(type -> types.put(Names.definition(type.name()), type));
    this.gvks = gvks;
    this.descriptions = descriptions;
  }

  /// Everything that the given definitions refer to, themselves included.
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
        : BuiltIn.definition(name, dialect, gvks.of(name));
  }

  private ObjectNode object(String name, ObjectType type) {
    ObjectNode definition = Json.object();
    putUnlessEmpty(definition, "description", descriptions.ofType(type.name()));
    definition.put("type", "object");
    ObjectNode properties = definition.putObject("properties");
    ArrayNode required = Json.array();
    for (Field field : type.fields()) {
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

  private ObjectNode property(ObjectType owner, Field field) {
    ObjectNode property = shape(field.shape());
    String description = descriptions.ofField(owner.name(), field.name());
    String value = dialect == Dialect.V3 ? defaultOf(field) : "";
    // OpenAPI 3 ignores everything beside a reference.
    if (dialect == Dialect.V3
        && property.has("$ref")
        && !(description.isEmpty() && value.isEmpty())) {
      ObjectNode reference = property;
      property = Json.object();
      property.putArray("allOf").add(reference);
    }
    putUnlessEmpty(property, "description", description);
    if (!value.isEmpty()) {
      property.set("default", Json.parseTrusted(value.getBytes(StandardCharsets.UTF_8)));
    }
    MergeExtensions.add(property, field);
    return property;
  }

  /// Upstream gives required scalars their zero as a default.
  private static String defaultOf(Field field) {
    if (!field.schemaDefault().isEmpty() || !field.required() || field.pointer()) {
      return field.schemaDefault();
    }
    return field.shape() == Shape.Scalar.STRING ? "\"\"" : "";
  }

  private ObjectNode shape(Shape shape) {
    return switch (shape) {
      case Shape.Scalar scalar -> BuiltIn.scalar(scalar, dialect);
      case Shape.ListOf(Shape element) -> {
        ObjectNode list = Json.object().put("type", "array");
        list.set("items", shape(element));
        yield list;
      }
      case Shape.MapOf(Shape value) -> {
        ObjectNode map = Json.object().put("type", "object");
        map.set("additionalProperties", shape(value));
        yield map;
      }
      case Shape.Struct(ObjectType type) ->
          Json.object().put("$ref", dialect.reference(Names.definition(type.name())));
    };
  }

  /// The list of a type whose list is not in the tables, because nothing but OpenAPI needs it.
  private ObjectNode list(String name) {
    ObjectNode definition = Json.object().put("type", "object");
    ObjectNode properties = definition.putObject("properties");
    for (String field : List.of("apiVersion", "kind")) {
      putUnlessEmpty(
          properties.putObject(field).put("type", "string"),
          "description",
          descriptions.ofField("*", field));
    }
    properties.putObject("metadata").put("$ref", dialect.reference(Names.meta("ListMeta")));
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
