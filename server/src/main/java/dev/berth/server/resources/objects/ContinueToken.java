package dev.berth.server.resources.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import java.util.Base64;

/// The position of a chunked list: a revision (-1: the newest) and a key after the list's prefix.
///
/// The form is upstream's, but clients must treat a token as opaque. A token is not secret and not
/// signed: it only names a position in a list that its holder may read anyway.
public record ContinueToken(long revision, String start) {
  private static final String VERSION = "meta.k8s.io/v1";

  public String encode() {
    ObjectNode json = JsonTrees.object().put("v", VERSION).put("rv", revision).put("start", start);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(JsonTrees.bytes(json));
  }

  public static ContinueToken decode(String text) {
    try {
      JsonNode json = JsonTrees.parse(Base64.getUrlDecoder().decode(text)).tree();
      String start = json.path("start").asText();
      if (!json.path("v").asText().equals(VERSION) || start.isEmpty()) {
        throw invalid("continue key is not valid: incorrect encoded start resourceVersion");
      }
      return new ContinueToken(json.path("rv").asLong(), start);
    } catch (IllegalArgumentException | JsonSyntaxException e) {
      throw invalid("continue key is not valid: " + e.getMessage());
    }
  }

  private static ApiException invalid(String why) {
    return ApiException.badRequest("invalid continue token: " + why);
  }
}
