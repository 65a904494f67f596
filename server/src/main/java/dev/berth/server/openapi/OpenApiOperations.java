package dev.berth.server.openapi;

import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Builds the operations of one kind with parameters, bodies and answers.
record OpenApiOperations(String tag, GroupVersionKind gvk) {

  OpenApiOperation list(String id, String definition) {
    return make("get", "list", id, QueryParameters.LIST, null, answers(definition, 200));
  }

  OpenApiOperation watch(String id, String action) {
    return make(
        "get",
        action,
        id,
        QueryParameters.LIST,
        null,
        answers(BuiltInDefinitions.WATCH_EVENT, 200));
  }

  OpenApiOperation read(String id, String definition) {
    return make("get", "get", id, QueryParameters.GET, null, answers(definition, 200));
  }

  OpenApiOperation readLog(String id) {
    return make("get", "get", id, QueryParameters.LOG, null, answers("", 200));
  }

  OpenApiOperation create(String id, String definition) {
    return make(
        "post", "post", id, QueryParameters.WRITE, definition, answers(definition, 200, 201, 202));
  }

  OpenApiOperation replace(String id, String definition) {
    return make("put", "put", id, QueryParameters.WRITE, definition, answers(definition, 200, 201));
  }

  OpenApiOperation patch(String id, String definition) {
    return make(
        "patch",
        "patch",
        id,
        QueryParameters.PATCH,
        BuiltInDefinitions.PATCH,
        answers(definition, 200, 201));
  }

  OpenApiOperation delete(String id, String answer) {
    return make(
        "delete",
        "delete",
        id,
        QueryParameters.DELETE,
        OpenApiNames.meta("DeleteOptions"),
        answers(answer, 200, 202));
  }

  OpenApiOperation deleteCollection(String id) {
    return make(
        "delete",
        "deletecollection",
        id,
        QueryParameters.DELETE_COLLECTION,
        OpenApiNames.meta("DeleteOptions"),
        answers(OpenApiNames.meta("Status"), 200));
  }

  OpenApiOperation connect(String method, String id, List<String> query) {
    return make(method.toLowerCase(Locale.ROOT), "connect", id, query, null, answers("", 200));
  }

  /// A GET that describes the server, such as discovery.
  static OpenApiOperation describe(String id, String tag, String definition) {
    return new OpenApiOperation(
        "get",
        "",
        id,
        "describe what is served",
        tag,
        List.of(),
        Optional.empty(),
        answers(definition, 200),
        Optional.empty());
  }

  private OpenApiOperation make(
      String method,
      String action,
      String id,
      List<String> query,
      @Nullable String body,
      NavigableMap<Integer, String> answers) {
    return new OpenApiOperation(
        method,
        action,
        id,
        words(action),
        tag,
        query,
        Optional.ofNullable(body),
        answers,
        Optional.of(gvk));
  }

  private String words(String action) {
    return switch (action) {
          case "list" -> "list or watch objects of kind ";
          case "post" -> "create an object of kind ";
          case "deletecollection" -> "delete all selected objects of kind ";
          case "get" -> "read an object of kind ";
          case "put" -> "replace an object of kind ";
          case "patch" -> "change parts of an object of kind ";
          case "delete" -> "delete an object of kind ";
          case "connect" -> "connect with options of kind ";
          default -> "watch (which a list does as well) objects of kind ";
        }
        + gvk.kind();
  }

  /// The codes are those that upstream documents for the verb, also where this server never sends
  /// one of them.
  private static NavigableMap<Integer, String> answers(String definition, Integer... codes) {
    NavigableMap<Integer, String> answers = new TreeMap<>();
    for (Integer code : codes) {
      answers.put(code, definition);
    }
    return answers;
  }
}
