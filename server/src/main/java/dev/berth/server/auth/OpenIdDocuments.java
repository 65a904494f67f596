package dev.berth.server.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.Json;
import dev.berth.server.pki.ServiceAccountKeys;
import java.math.BigInteger;
import java.util.Base64;

/// What others need to check our service account tokens.
public final class OpenIdDocuments {
  private static final int COORDINATE_BYTES = 32;

  private OpenIdDocuments() {}

  /// The body of `/.well-known/openid-configuration`.
  ///
  /// @param keysUrl where `/openid/v1/jwks` is found
  public static ObjectNode configuration(String issuer, String keysUrl) {
    ObjectNode json = Json.object().put("issuer", issuer).put("jwks_uri", keysUrl);
    json.putArray("response_types_supported").add("id_token");
    json.putArray("subject_types_supported").add("public");
    json.putArray("id_token_signing_alg_values_supported").add("ES256");
    return json;
  }

  /// The body of `/openid/v1/jwks`, of type `application/jwk-set+json`.
  public static ObjectNode keySet(ServiceAccountKeys keys) {
    ObjectNode json = Json.object();
    json.putArray("keys")
        .addObject()
        .put("use", "sig")
        .put("kty", "EC")
        .put("kid", keys.keyId())
        .put("crv", "P-256")
        .put("alg", "ES256")
        .put("x", coordinate(keys.publicKey().getW().getAffineX()))
        .put("y", coordinate(keys.publicKey().getW().getAffineY()));
    return json;
  }

  /// RFC 7518 6.2.1.2: as long as the curve's field, leading zeros included.
  private static String coordinate(BigInteger value) {
    byte[] bytes = value.toByteArray();
    byte[] fixed = new byte[COORDINATE_BYTES];
    int length = Math.min(bytes.length, COORDINATE_BYTES);
    System.arraycopy(bytes, bytes.length - length, fixed, COORDINATE_BYTES - length, length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(fixed);
  }
}
