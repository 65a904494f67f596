package dev.berth.client.fake;

import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.ServedResource;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The parts of a request's target: kind, object, subresource and parameters.
///
/// @param key its name is empty for a collection
record FakePath(
    ResourceType type, ObjectKey key, String subresource, Map<String, String> parameters) {
  private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("finalize", "status");

  static FakePath parse(String target, Collection<ServedResource> served) {
    URI uri = URI.create(target);
    List<String> parts = new ArrayList<>(List.of(uri.getRawPath().substring(1).split("/")));
    String group = parts.removeFirst().equals("api") ? "" : parts.removeFirst();
    String version = parts.removeFirst();
    String namespace = "";
    if (parts.getFirst().equals("namespaces")
        && parts.size() > 2
        // `namespaces/x/status` is a subresource of the namespace; `namespaces/x/pods` is a kind in
        // it.
        && !NAMESPACE_SUBRESOURCES.contains(parts.get(2))) {
      parts.removeFirst();
      namespace = decode(parts.removeFirst());
    }
    String plural = parts.removeFirst();
    ResourceType type =
        served.stream()
            .map(ServedResource::type)
            .filter(t -> t.group().equals(group) && t.version().equals(version))
            .filter(t -> t.plural().equals(plural))
            .findFirst()
            .orElseThrow(
                () ->
                    new FakeRefusal(
                        404, "NotFound", "", "the server could not find the requested resource"));
    String name = parts.isEmpty() ? "" : decode(parts.removeFirst());
    String subresource = parts.isEmpty() ? "" : parts.removeFirst();
    return new FakePath(
        type, new ObjectKey(namespace, name), subresource, parameters(uri.getRawQuery()));
  }

  private static Map<String, String> parameters(@org.jspecify.annotations.Nullable String query) {
    Map<String, String> parameters = new HashMap<>();
    if (query != null) {
      for (String pair : query.split("&", -1)) {
        int equals = pair.indexOf('=');
        parameters.put(pair.substring(0, equals), decode(pair.substring(equals + 1)));
      }
    }
    return parameters;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  String parameter(String name) {
    return parameters.getOrDefault(name, "");
  }

  boolean isCollection() {
    return key.name().isEmpty();
  }
}
