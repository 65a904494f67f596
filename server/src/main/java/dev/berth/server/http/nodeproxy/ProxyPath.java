package dev.berth.server.http.nodeproxy;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;

/// A proxy path in two parts: the prefix up to the proxy, and the path at the backend.
///
/// @param prefix up to and with `/proxy`
/// @param rest what follows it, with the query; empty, or begins with `/` or `?`
record ProxyPath(String prefix, String rest) {
  private static final String PROXY = "/proxy";

  /// The raw path is split and not the decoded one: the backend must see the escapes of the client.
  ///
  /// @param plural the resource whose proxy is meant; an object's name may contain `proxy`, too
  static ProxyPath parse(String pathAndQuery, String plural) {
    int name = pathAndQuery.indexOf("/" + plural + "/") + plural.length() + 2;
    int end = pathAndQuery.indexOf(PROXY, name) + PROXY.length();
    return new ProxyPath(pathAndQuery.substring(0, end), pathAndQuery.substring(end));
  }

  /// The path and query at the backend.
  String target() {
    return rest.startsWith("/") ? rest : "/" + rest;
  }

  /// Without a final slash, relative links of a page would resolve to the proxy's parent.
  boolean needsSlash(String method) {
    return !rest.startsWith("/") && Set.of("GET", "HEAD").contains(method);
  }

  String withSlash() {
    return prefix + "/" + rest;
  }

  /// Rewrites the location of a backend's redirect to the proxy, unless it leaves the backend or is
  /// relative.
  ///
  /// @param backend host and port of the backend
  /// @param authority the host and port by which the client calls this server
  String location(String location, String backend, String authority) {
    URI uri;
    try {
      uri = new URI(location);
    } catch (URISyntaxException e) {
      return location;
    }
    String host = uri.getRawAuthority();
    boolean elsewhere = host != null && !host.equals(backend) && !host.equals(authority);
    String path = uri.getRawPath();
    if (elsewhere || path == null || !path.startsWith("/")) {
      return location;
    }
    return (path.startsWith(prefix) ? "" : prefix)
        + path
        + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery())
        + (uri.getRawFragment() == null ? "" : "#" + uri.getRawFragment());
  }
}
