package dev.berth.server.openapi;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// The query parameters of all operations with their types and descriptions.
final class QueryParameters {
  static final List<String> LIST =
      List.of(
          "allowWatchBookmarks",
          "continue",
          "fieldSelector",
          "labelSelector",
          "limit",
          "pretty",
          "resourceVersion",
          "resourceVersionMatch",
          "sendInitialEvents",
          "timeoutSeconds",
          "watch");
  static final List<String> GET = List.of("pretty");
  static final List<String> WRITE = List.of("dryRun", "fieldManager", "fieldValidation", "pretty");
  static final List<String> PATCH =
      List.of("dryRun", "fieldManager", "fieldValidation", "force", "pretty");
  static final List<String> DELETE =
      List.of("dryRun", "gracePeriodSeconds", "orphanDependents", "pretty", "propagationPolicy");
  static final List<String> DELETE_COLLECTION =
      List.of(
          "continue",
          "dryRun",
          "fieldSelector",
          "gracePeriodSeconds",
          "labelSelector",
          "limit",
          "orphanDependents",
          "pretty",
          "propagationPolicy",
          "resourceVersion",
          "resourceVersionMatch",
          "sendInitialEvents",
          "timeoutSeconds");
  static final List<String> LOG =
      List.of(
          "container",
          "follow",
          "insecureSkipTLSVerifyBackend",
          "limitBytes",
          "pretty",
          "previous",
          "sinceSeconds",
          "tailLines",
          "timestamps");
  private static final List<String> ATTACH =
      List.of("container", "stderr", "stdin", "stdout", "tty");
  private static final List<String> EXEC =
      List.of("command", "container", "stderr", "stdin", "stdout", "tty");

  private static final Set<String> BOOLEANS =
      Set.of(
          "allowWatchBookmarks",
          "follow",
          "force",
          "insecureSkipTLSVerifyBackend",
          "orphanDependents",
          "previous",
          "sendInitialEvents",
          "stderr",
          "stdin",
          "stdout",
          "timestamps",
          "tty",
          "watch");
  private static final Set<String> INTEGERS =
      Set.of(
          "gracePeriodSeconds",
          "limit",
          "limitBytes",
          "ports",
          "sinceSeconds",
          "tailLines",
          "timeoutSeconds");

  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("allowWatchBookmarks", "Send BOOKMARK events that only carry a revision."),
          Map.entry("command", "Program and arguments to run."),
          Map.entry("container", "Which container of the pod, needed when it has several."),
          Map.entry("continue", "Token of the previous chunk of a list."),
          Map.entry("dryRun", "All: do everything but store."),
          Map.entry("fieldManager", "Name under which the written fields are owned."),
          Map.entry("fieldSelector", "Restricts the answer to objects with these field values."),
          Map.entry("fieldValidation", "What to do with unknown fields: Ignore, Warn or Strict."),
          Map.entry("follow", "Keep sending what is appended."),
          Map.entry("force", "Take over fields that others own (apply only)."),
          Map.entry("gracePeriodSeconds", "Seconds until the object is removed."),
          Map.entry("labelSelector", "Restricts the answer to objects with these labels."),
          Map.entry("limit", "Largest number of objects in one chunk of a list."),
          Map.entry("limitBytes", "Largest number of bytes to send."),
          Map.entry("name", "Name of the object."),
          Map.entry("namespace", "Namespace of the object."),
          Map.entry("orphanDependents", "Deprecated, use propagationPolicy."),
          Map.entry("path", "Path below the proxied address."),
          Map.entry("ports", "Ports of the pod to forward."),
          Map.entry("pretty", "Indent the answer."),
          Map.entry("previous", "Log of the container's previous run."),
          Map.entry("propagationPolicy", "Foreground, Background or Orphan."),
          Map.entry("resourceVersion", "Revision that the answer must have or follow."),
          Map.entry("resourceVersionMatch", "How resourceVersion is meant: Exact, NotOlderThan."),
          Map.entry("sendInitialEvents", "Begin a watch with the objects that exist."),
          Map.entry("sinceSeconds", "Only lines of the last so many seconds."),
          Map.entry("tailLines", "Only the last so many lines."),
          Map.entry("timeoutSeconds", "End the request after so many seconds."),
          Map.entry("timestamps", "Put the time before each line."),
          Map.entry("watch", "Stream changes instead of listing."));

  private QueryParameters() {}

  /// The parameters of a connect operation to a pod, node or service.
  static List<String> connect(String subresource) {
    return switch (subresource) {
      case "attach" -> ATTACH;
      case "exec" -> EXEC;
      case "portforward" -> List.of("ports");
      default -> List.of("path");
    };
  }

  static String type(String name) {
    return BOOLEANS.contains(name) ? "boolean" : INTEGERS.contains(name) ? "integer" : "string";
  }

  static String words(String name) {
    return WORDS.getOrDefault(name, "");
  }
}
