package dev.berth.server.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.Json;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.pki.ServiceAccountKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// JSON web tokens of exactly one form: ES256, signed with our key.
///
/// A library would bring many algorithms, and with them the ways in which verifiers are talked into
/// the wrong one; this is two calls of `java.security`.
final class Jwt {
  private static final String ALGORITHM = "SHA256withECDSAinP1363Format";
  private static final int LONGEST = 16 << 10;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

  private final ServiceAccountKeys keys;
  private final String keyId;

  Jwt(ServiceAccountKeys keys) {
    this.keys = keys;
    keyId = keys.keyId();
  }

  String sign(ObjectNode claims) {
    ObjectNode header = Json.object().put("alg", "ES256").put("kid", keyId);
    String content = encoded(header) + "." + encoded(claims);
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(keys.privateKey());
      signature.update(content.getBytes(StandardCharsets.US_ASCII));
      return content + "." + ENCODER.encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign a token", e);
    }
  }

  /// The claims; null unless the token is well-formed and signed by us.
  @Nullable ObjectNode verify(String token) {
    int first = token.indexOf('.');
    int last = token.lastIndexOf('.');
    if (token.length() > LONGEST
        || first < 0
        || first == last
        || token.indexOf('.', first + 1) != last) {
      return null;
    }
    try {
      JsonNode header = decoded(token.substring(0, first));
      if (!header.path("alg").asText().equals("ES256")
          || !header.path("kid").asText().equals(keyId)
          || header.has("crit")) {
        return null;
      }
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(keys.publicKey());
      signature.update(token.substring(0, last).getBytes(StandardCharsets.US_ASCII));
      if (!signature.verify(DECODER.decode(token.substring(last + 1)))) {
        return null;
      }
      return decoded(token.substring(first + 1, last)) instanceof ObjectNode claims ? claims : null;
    } catch (GeneralSecurityException | IllegalArgumentException | JsonSyntaxException _) {
      return null;
    }
  }

  private static String encoded(ObjectNode json) {
    return ENCODER.encodeToString(Json.bytes(json));
  }

  private static JsonNode decoded(String part) throws JsonSyntaxException {
    return Json.parse(DECODER.decode(part)).tree();
  }
}
