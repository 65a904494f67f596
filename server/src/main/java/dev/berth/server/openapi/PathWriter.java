package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import java.util.List;

/// Writes one path with its operations in one OpenAPI version.
///
/// The two versions differ in where bodies and media types are: OpenAPI 2 has a body parameter and
/// lists of types, OpenAPI 3 a content by type.
final class PathWriter {
  private final OpenApiVersion dialect;

  PathWriter(OpenApiVersion dialect) {
    this.dialect = dialect;
  }

  ObjectNode path(OpenApiPath endpoint) {
    ObjectNode item = JsonTrees.object();
    for (OpenApiOperation operation : endpoint.operations()) {
      item.set(operation.method(), operation(operation, endpoint.pathParameters()));
    }
    if (!endpoint.pathParameters().isEmpty()) {
      ArrayNode parameters = item.putArray("parameters");
      endpoint.pathParameters().forEach(name -> addParameter(parameters.addObject(), name, "path"));
    }
    return item;
  }

  private ObjectNode operation(OpenApiOperation operation, List<String> inPath) {
    ObjectNode node = JsonTrees.object().put("description", operation.description());
    node.putArray("tags").add(operation.tag());
    node.put("operationId", operation.id());
    ArrayNode parameters = JsonTrees.array();
    if (dialect == OpenApiVersion.V2) {
      addAll(node.putArray("consumes"), operation.consumes());
      addAll(node.putArray("produces"), operation.produces());
      node.putArray("schemes").add("https");
      operation.body().ifPresent(body -> addBodyParameter(parameters.addObject(), operation, body));
    } else {
      operation.body().ifPresent(body -> addRequestBody(node, operation, body));
    }
    operation.query().stream()
        .filter(name -> !inPath.contains(name))
        .forEach(name -> addParameter(parameters.addObject(), name, "query"));
    if (!parameters.isEmpty()) {
      node.set("parameters", parameters);
    }
    addResponses(node.putObject("responses"), operation);
    if (!operation.action().isEmpty()) {
      node.put("x-kubernetes-action", operation.action());
    }
    operation.gvk().ifPresent(gvk -> node.set(GroupVersionKind.EXTENSION, gvk.toJson()));
    return node;
  }

  private void addParameter(ObjectNode node, String name, String in) {
    node.put("name", name).put("in", in);
    OpenApiDefinitions.putUnlessEmpty(node, "description", QueryParameters.words(name));
    if (in.equals("path")) {
      node.put("required", true);
    }
    ObjectNode schema = dialect == OpenApiVersion.V2 ? node : node.putObject("schema");
    schema.put("type", QueryParameters.type(name)).put("uniqueItems", true);
  }

  private void addBodyParameter(ObjectNode node, OpenApiOperation operation, String body) {
    node.put("name", "body").put("in", "body");
    if (isRequired(operation)) {
      node.put("required", true);
    }
    node.putObject("schema").put("$ref", dialect.reference(body));
  }

  private void addRequestBody(ObjectNode node, OpenApiOperation operation, String body) {
    ObjectNode request = node.putObject("requestBody");
    ObjectNode content = request.putObject("content");
    operation
        .consumes()
        .forEach(
            type ->
                content.putObject(type).putObject("schema").put("$ref", dialect.reference(body)));
    if (isRequired(operation)) {
      request.put("required", true);
    }
  }

  /// Delete options are optional.
  private static boolean isRequired(OpenApiOperation operation) {
    return !operation.method().equals("delete");
  }

  private void addResponses(ObjectNode responses, OpenApiOperation operation) {
    operation
        .answers()
        .forEach(
            (code, definition) -> {
              ObjectNode response = responses.putObject(code.toString());
              response.put("description", reason(code));
              addSchema(response, definition, operation);
            });
    responses.putObject("401").put("description", "Unauthorized");
  }

  private void addSchema(ObjectNode response, String definition, OpenApiOperation operation) {
    if (dialect == OpenApiVersion.V2) {
      schema(response.putObject("schema"), definition);
    } else {
      ObjectNode content = response.putObject("content");
      operation
          .produces()
          .forEach(type -> schema(content.putObject(type).putObject("schema"), definition));
    }
  }

  private void schema(ObjectNode schema, String definition) {
    if (definition.isEmpty()) {
      schema.put("type", "string");
    } else {
      schema.put("$ref", dialect.reference(definition));
    }
  }

  private static String reason(int code) {
    return switch (code) {
      case 201 -> "Created";
      case 202 -> "Accepted";
      default -> "OK";
    };
  }

  private static void addAll(ArrayNode array, List<String> values) {
    values.forEach(array::add);
  }
}
