package dev.berth.server.resources.requests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.audit.RequestAudit;
import java.util.List;

/// A request body as a tree, independent of its encoding.
///
/// @param duplicates paths of duplicate fields
/// @param audit receives the object once it is decoded
public record RequestBody(ObjectNode tree, List<String> duplicates, RequestAudit audit) {
  /// A body whose object is not recorded.
  public RequestBody(ObjectNode tree, List<String> duplicates) {
    this(tree, duplicates, RequestAudit.NONE);
  }

  /// The same body, recorded by the given audit once it is decoded.
  public RequestBody with(RequestAudit newAudit) {
    return newAudit == RequestAudit.NONE ? this : new RequestBody(tree, duplicates, newAudit);
  }
}
