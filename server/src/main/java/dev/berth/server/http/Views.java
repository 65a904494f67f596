package dev.berth.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.Json;
import dev.berth.server.resources.Answer;
import dev.berth.server.resources.StoredObject;
import dev.berth.server.resources.Target;
import dev.berth.server.table.IncludeObject;
import dev.berth.server.table.PartialMetadata;
import java.util.List;

/// Objects and lists as trees in the version that the request named.
final class Views {
  ObjectNode served(Target target, StoredObject object) {
    return served(target, object.tree());
  }

  /// Takes the tree over.
  ObjectNode served(Target target, ObjectNode stored) {
    ObjectNode object = Json.object();
    object.put("kind", target.kind().names().kind());
    object.put("apiVersion", target.version().apiVersion());
    ObjectNode converted = target.version().conversion().fromStored(stored);
    converted.remove(List.of("kind", "apiVersion"));
    object.setAll(converted);
    return object;
  }

  ObjectNode partial(Target target, StoredObject object, String version) {
    return PartialMetadata.of(served(target, object), version);
  }

  ObjectNode listMetadata(Answer.Listing listing) {
    ObjectNode metadata = Json.object();
    metadata.put("resourceVersion", Long.toString(listing.revision()));
    if (!listing.continueToken().isEmpty()) {
      metadata.put("continue", listing.continueToken());
    }
    if (listing.remaining() >= 0) {
      metadata.put("remainingItemCount", listing.remaining());
    }
    return metadata;
  }

  /// What table rows carry beside their cells.
  static IncludeObject include(Exchange exchange) {
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
