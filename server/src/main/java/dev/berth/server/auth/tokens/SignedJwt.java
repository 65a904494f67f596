package dev.berth.server.auth.tokens;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.pki.ServiceAccountKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Signs and verifies JSON web tokens with the server's keys.
///
/// Not a library: the key determines the algorithm, so a token cannot make the verifier use another
/// one.
final class SignedJwt {
  /// Longer tokens are rejected before any parsing.
  private static final int LONGEST = 16 << 10;

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

  private final PrivateKey privateKey;
  private final TokenKey signing;
  private final Map<String, TokenKey> byId = new HashMap<>();

  SignedJwt(ServiceAccountKeys keys) {
    privateKey = keys.privateKey();
    signing = TokenKey.of(keys.publicKey());
    byId.put(signing.id(), signing);
    keys.others().stream().map(TokenKey::of).forEach(key -> byId.put(key.id(), key));
  }

  String sign(ObjectNode claims) {
    ObjectNode header = JsonTrees.object().put("alg", signing.algorithm()).put("kid", signing.id());
    String content = encoded(header) + "." + encoded(claims);
    try {
      byte[] signature = signing.sign(privateKey, content.getBytes(StandardCharsets.US_ASCII));
      return content + "." + ENCODER.encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign a token", e);
    }
  }

  /// The claims; null unless the token is well-formed and has a valid signature.
  ///
  /// The header is read before the signature is checked, but only to find the key; claims are
  /// parsed only after the signature was found valid. A token with `crit` is refused, because RFC
  /// 7515 forbids ignoring extensions that the token calls critical.
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
      TokenKey key = byId.get(header.path("kid").asText());
      if (key == null
          || !header.path("alg").asText().equals(key.algorithm())
          || header.has("crit")
          || !key.verify(
              token.substring(0, last).getBytes(StandardCharsets.US_ASCII),
              DECODER.decode(token.substring(last + 1)))) {
        return null;
      }
      return decoded(token.substring(first + 1, last)) instanceof ObjectNode claims ? claims : null;
    } catch (GeneralSecurityException | IllegalArgumentException | JsonSyntaxException _) {
      return null;
    }
  }

  private static String encoded(ObjectNode json) {
    return ENCODER.encodeToString(JsonTrees.bytes(json));
  }

  private static JsonNode decoded(String part) throws JsonSyntaxException {
    return JsonTrees.parse(DECODER.decode(part)).tree();
  }
}
