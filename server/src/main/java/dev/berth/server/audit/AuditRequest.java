package dev.berth.server.audit;

import java.util.List;

/// The attributes of a request that audit rules and events use.
///
/// @param verb for resources `get`, `list`, ...; for other paths the method in lower case
/// @param isLong whether the request is a watch or another stream
public record AuditRequest(
    String id,
    String uri,
    String verb,
    String path,
    Resource resource,
    List<String> sourceAddresses,
    String userAgent,
    boolean isLong) {
  /// Upstream truncates longer user agents in events.
  private static final int LONGEST_AGENT = 1024;

  /// The object or collection; [#NONE] when the path is not one of a resource.
  public record Resource(
      String group,
      String version,
      String plural,
      String subresource,
      String namespace,
      String name) {
    public static final Resource NONE = new Resource("", "", "", "", "", "");
  }

  public AuditRequest {
    sourceAddresses = List.copyOf(sourceAddresses);
    if (userAgent.length() > LONGEST_AGENT) {
      userAgent = userAgent.substring(0, LONGEST_AGENT) + "...TRUNCATED";
    }
  }

  boolean isResource() {
    return !resource.plural().isEmpty();
  }
}
