package dev.berth.server.openapi;

import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Makes the operations on one kind, each with its parameters, body and answers.
record Operations(String tag, Gvk gvk) {

  Operation list(String id, String definition) {
    return make("get", "list", id, QueryParameters.LIST, null, answers(definition, 200));
  }

  Operation watch(String id, String action) {
    return make("get", action, id, QueryParameters.LIST, null, answers(BuiltIn.WATCH_EVENT, 200));
  }

  Operation read(String id, String definition) {
    return make("get", "get", id, QueryParameters.GET, null, answers(definition, 200));
  }

  Operation readLog(String id) {
    return make("get", "get", id, QueryParameters.LOG, null, answers("", 200));
  }

  Operation create(String id, String definition) {
    return make(
        "post", "post", id, QueryParameters.WRITE, definition, answers(definition, 200, 201, 202));
  }

  Operation replace(String id, String definition) {
    return make("put", "put", id, QueryParameters.WRITE, definition, answers(definition, 200, 201));
  }

  Operation patch(String id, String definition) {
    return make(
        "patch", "patch", id, QueryParameters.PATCH, BuiltIn.PATCH, answers(definition, 200, 201));
  }

  Operation delete(String id, String answer) {
    return make(
        "delete",
        "delete",
        id,
        QueryParameters.DELETE,
        Names.meta("DeleteOptions"),
        answers(answer, 200, 202));
  }

  Operation deleteCollection(String id) {
    return make(
        "delete",
        "deletecollection",
        id,
        QueryParameters.DELETE_COLLECTION,
        Names.meta("DeleteOptions"),
        answers(Names.meta("Status"), 200));
  }

  Operation connect(String method, String id, List<String> query) {
    return make(method.toLowerCase(Locale.ROOT), "connect", id, query, null, answers("", 200));
  }

  /// A GET that describes the server itself and no kind.
  static Operation describe(String id, String tag, String definition) {
    return new Operation(
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

  private Operation make(
      String method,
      String action,
      String id,
      List<String> query,
      @Nullable String body,
      NavigableMap<Integer, String> answers) {
    return new Operation(
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

  private static NavigableMap<Integer, String> answers(String definition, Integer... codes) {
    NavigableMap<Integer, String> answers = new TreeMap<>();
    for (Integer code : codes) {
      answers.put(code, definition);
    }
    return answers;
  }
}
