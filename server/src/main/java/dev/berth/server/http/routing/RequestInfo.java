package dev.berth.server.http.routing;

import dev.berth.server.kinds.Verb;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Parses method and path of a request, before anything is looked up.
///
/// Authorization decides by these attributes, and the dispatcher serves by the same ones, so no
/// request is authorized as something else than it does. The path is not checked here: unknown
/// resources and invalid names are reported later, after authorization.
///
/// @param verb the verb for authorization: `get`, `list`, `watch`, `create`, ...; "" for an unknown
///   method of a resource; for other paths the method in lower case
/// @param resource the plural name; "" when the path is not one of a resource
/// @param watchPath the deprecated `/watch/` form, which means `?watch=1`
public record RequestInfo(
    boolean isResource,
    String verb,
    String path,
    String group,
    String version,
    String namespace,
    String resource,
    String name,
    String subresource,
    boolean watchPath) {

  /// The verb of an unknown method.
  private static final String NONE = "";

  /// Subresources of a namespace itself; other path elements after its name are resources in it.
  private static final List<String> NAMESPACE_SUBRESOURCES = List.of("status", "finalize");

  /// Subresources whose answer lasts as long as the client wants.
  private static final Set<String> STREAMS =
      Set.of("attach", "exec", "log", "portforward", "proxy");

  public static RequestInfo parse(String method, String path, boolean watch) {
    List<String> parts =
        Arrays.stream(path.split("/"))
            .filter(part -> !part.isEmpty())
            .map(RequestInfo::decode)
            .toList();
    if (parts.size() >= 3 && parts.getFirst().equals("api")) {
      return resource(method, path, "", parts.get(1), parts.subList(2, parts.size()), watch);
    }
    if (parts.size() >= 4 && parts.getFirst().equals("apis")) {
      return resource(
          method, path, parts.get(1), parts.get(2), parts.subList(3, parts.size()), watch);
    }
    return new RequestInfo(
        false, method.toLowerCase(Locale.ROOT), path, "", "", "", "", "", "", false);
  }

  /// The verb of a resource; empty for a method that no resource has.
  public Optional<Verb> knownVerb() {
    return Verb.find(verb);
  }

  /// Whether the request leaves the store unchanged.
  public boolean isRead() {
    return knownVerb().filter(Verb::isRead).isPresent();
  }

  /// A stream through the server of a node.
  public boolean isNodeStream() {
    return STREAMS.contains(subresource);
  }

  /// A watch or another stream: no limit on the time of a request applies.
  public boolean isLongRunning() {
    return verb.equals("watch") || isNodeStream();
  }

  private static RequestInfo resource(
      String method, String path, String group, String version, List<String> parts, boolean watch) {
    boolean watchPath = parts.getFirst().equals("watch") && parts.size() > 1;
    List<String> rest = watchPath ? parts.subList(1, parts.size()) : parts;
    // `/namespaces/x` is the namespace itself, `/namespaces/x/pods` a collection in it.
    String namespace = "";
    if (rest.size() > 1 && rest.getFirst().equals("namespaces")) {
      namespace = rest.get(1);
      if (rest.size() > 2 && !NAMESPACE_SUBRESOURCES.contains(rest.get(2))) {
        rest = rest.subList(2, rest.size());
      }
    }
    String name = rest.size() > 1 ? rest.get(1) : "";
    String subresource = rest.size() > 2 ? String.join("/", rest.subList(2, rest.size())) : "";
    if (subresource.startsWith("proxy/")) {
      // The rest is a path at the backend.
      subresource = "proxy";
    }
    return new RequestInfo(
        true,
        watchPath
            ? watchPathVerb(method, subresource)
            : verb(method, !name.isEmpty(), watch && name.isEmpty()),
        path,
        group,
        version,
        namespace,
        rest.getFirst(),
        name,
        subresource,
        watchPath);
  }

  /// The deprecated path is read-only, and only objects can be watched.
  private static String watchPathVerb(String method, String subresource) {
    return method.equals("GET") && subresource.isEmpty() ? "watch" : NONE;
  }

  private static String verb(String method, boolean named, boolean watch) {
    return switch (method) {
      case "GET", "HEAD" -> watch ? "watch" : named ? "get" : "list";
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> named ? "delete" : "deletecollection";
      case "OPTIONS" -> "options";
      // A client's method named LIST must not become the verb `list`.
      default -> NONE;
    };
  }

  /// The path is split before it is decoded, so an encoded slash cannot add a segment. A plus stays
  /// a plus in a path.
  private static String decode(String part) {
    return part.indexOf('%') < 0
        ? part
        : URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
