package dev.berth.server.http.encoding;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.resources.VerbAnswer;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.table.IncludeObject;
import dev.berth.server.table.PartialMetadata;
import java.util.List;

/// Objects and lists as trees in the version that the request named.
public final class ObjectViews {
  ObjectNode served(RequestTarget target, StoredObject object) {
    return served(target, object.tree());
  }

  /// The caller must not use the tree afterwards.
  ObjectNode served(RequestTarget target, ObjectNode stored) {
    ObjectNode object = JsonTrees.object();
    object.put("kind", target.kind().names().kind());
    object.put("apiVersion", target.version().apiVersion());
    ObjectNode converted = target.version().conversion().fromStored(stored);
    converted.remove(List.of("kind", "apiVersion"));
    object.setAll(converted);
    return object;
  }

  ObjectNode partial(RequestTarget target, StoredObject object, String version) {
    return PartialMetadata.of(served(target, object), version);
  }

  ObjectNode listMetadata(VerbAnswer.Listing listing) {
    ObjectNode metadata = JsonTrees.object();
    metadata.put("resourceVersion", Long.toString(listing.revision()));
    if (!listing.continueToken().isEmpty()) {
      metadata.put("continue", listing.continueToken());
    }
    if (listing.remaining() >= 0) {
      metadata.put("remainingItemCount", listing.remaining());
    }
    return metadata;
  }

  /// The `object` of a table row: nothing, metadata or the whole object.
  public static IncludeObject include(ServerExchange exchange) {
    String policy = exchange.query().first("includeObject");
    return IncludeObject.parse(policy)
        .orElseThrow(
            () ->
                ApiException.badRequest(
                    "unrecognized includeObject value \""
                        + policy
                        + "\", accepted: None, Metadata, Object"));
  }
}
