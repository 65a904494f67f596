package dev.berth.server.http.nodeproxy;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;

/// The path of a request to a proxy, in two: what leads to the proxy, and what follows it and is
/// somebody else's.
///
/// @param prefix up to and with `/proxy`
/// @param rest what follows it, with the query; empty, or begins with `/` or `?`
record ProxyPath(String prefix, String rest) {
  private static final String PROXY = "/proxy";

  /// @param plural of the resource whose proxy it is; its name may contain `proxy`, too
  static ProxyPath parse(String pathAndQuery, String plural) {
    int name = pathAndQuery.indexOf("/" + plural + "/") + plural.length() + 2;
    int end = pathAndQuery.indexOf(PROXY, name) + PROXY.length();
    return new ProxyPath(pathAndQuery.substring(0, end), pathAndQuery.substring(end));
  }

  /// What is asked of the backend.
  String target() {
    return rest.startsWith("/") ? rest : "/" + rest;
  }

  /// Relative links of a page would lead beside a proxy that is called without a slash.
  boolean needsSlash(String method) {
    return !rest.startsWith("/") && Set.of("GET", "HEAD").contains(method);
  }

  String withSlash() {
    return prefix + "/" + rest;
  }

  /// Where a redirect of the backend leads for the client: behind the proxy, unless it leaves the
  /// backend or is relative.
  ///
  /// @param backend host and port of the backend
  /// @param authority what the client calls this server by
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
