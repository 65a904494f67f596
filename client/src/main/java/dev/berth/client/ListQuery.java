package dev.berth.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// The objects to list or watch.
///
/// @param namespace empty for all namespaces and for cluster-scoped kinds
/// @param labelSelector and
/// @param fieldSelector in the API's syntax, empty for no restriction
public record ListQuery(String namespace, String labelSelector, String fieldSelector) {
  public static final ListQuery ALL = new ListQuery("", "", "");

  public static ListQuery inNamespace(String namespace) {
    return new ListQuery(namespace, "", "");
  }

  /// Objects of that name in every namespace.
  public static ListQuery named(String name) {
    return new ListQuery("", "", "metadata.name=" + name);
  }

  public ListQuery withLabelSelector(String selector) {
    return new ListQuery(namespace, selector, fieldSelector);
  }

  public ListQuery withFieldSelector(String selector) {
    return new ListQuery(namespace, labelSelector, selector);
  }

  /// The parameters of the request, the given ones after the selectors.
  String queryString(Map<String, String> more) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("labelSelector", labelSelector);
    parameters.put("fieldSelector", fieldSelector);
    parameters.putAll(more);
    String text =
        parameters.entrySet().stream()
            .filter(entry -> !entry.getValue().isEmpty())
            .map(entry -> entry.getKey() + "=" + ResourceType.encode(entry.getValue()))
            .collect(Collectors.joining("&"));
    return text.isEmpty() ? "" : "?" + text;
  }
}
