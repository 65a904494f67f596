package dev.berth.server.http.nodeproxy;

import dev.berth.server.errors.ApiException;
import dev.berth.server.resources.requests.RequestQuery;
import dev.berth.server.resources.requests.RequestTarget;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Builds path and query of a pod request at the kubelet's API.
///
/// The names differ from those of the API: the kubelet calls `stdin` `input`, and `ports` `port`.
/// Only known parameters are passed on, so a client cannot set others of the kubelet.
final class NodeTarget {
  private static final List<String> LOG_OPTIONS =
      List.of(
          "follow",
          "previous",
          "timestamps",
          "sinceSeconds",
          "sinceTime",
          "tailLines",
          "limitBytes");

  private final List<String> parameters = new ArrayList<>();

  private NodeTarget() {}

  /// @param container empty for requests about the whole pod
  static String of(RequestTarget target, String container, RequestQuery query) {
    NodeTarget made = new NodeTarget();
    String pod = "/" + encode(target.namespace()) + "/" + encode(target.name());
    String path =
        switch (target.subresource()) {
          case "log" -> "/containerLogs" + pod + "/" + encode(container);
          case "exec" -> "/exec" + pod + "/" + encode(container);
          case "attach" -> "/attach" + pod + "/" + encode(container);
          case "portforward" -> "/portForward" + pod;
          default -> throw ApiException.noSuchResource();
        };
    switch (target.subresource()) {
      case "log" -> LOG_OPTIONS.forEach(name -> made.copy(query, name, name));
      case "portforward" -> made.copy(query, "ports", "port");
      default -> made.streams(query);
    }
    return made.parameters.isEmpty() ? path : path + "?" + String.join("&", made.parameters);
  }

  private void streams(RequestQuery query) {
    flag(query, "stdin", "input");
    flag(query, "stdout", "output");
    flag(query, "stderr", "error");
    flag(query, "tty", "tty");
    copy(query, "command", "command");
  }

  private void flag(RequestQuery query, String name, String there) {
    if (query.flag(name)) {
      parameters.add(there + "=1");
    }
  }

  private void copy(RequestQuery query, String name, String there) {
    query.all(name).forEach(value -> parameters.add(there + "=" + encode(value)));
  }

  /// `URLEncoder` makes forms, in which a space is a plus; in a path a plus is a plus.
  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
