package dev.berth.server.auth.tokens;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.pki.ServiceAccountKeys;
import java.math.BigInteger;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Stream;

/// Builds the OpenID documents with which others verify service account tokens.
///
/// All keys are listed, also those that only verify: tokens that were signed before a rotation must
/// stay verifiable.
public final class OpenIdDocuments {
  /// Both coordinates of a point on P-256, with leading zeros (RFC 7518, section 6.2.1.2).
  private static final int COORDINATE_BYTES = 32;

  private OpenIdDocuments() {}

  /// The body of `/.well-known/openid-configuration`.
  ///
  /// @param keysUrl the URL of `/openid/v1/jwks`
  public static ObjectNode configuration(String issuer, String keysUrl, ServiceAccountKeys keys) {
    ObjectNode json = JsonTrees.object().put("issuer", issuer).put("jwks_uri", keysUrl);
    json.putArray("response_types_supported").add("id_token");
    json.putArray("subject_types_supported").add("public");
    ArrayNode algorithms = json.putArray("id_token_signing_alg_values_supported");
    all(keys).map(TokenKey::algorithm).distinct().forEach(algorithms::add);
    return json;
  }

  /// The body of `/openid/v1/jwks`, of type `application/jwk-set+json`.
  public static ObjectNode keySet(ServiceAccountKeys keys) {
    ObjectNode json = JsonTrees.object();
    ArrayNode list = json.putArray("keys");
    all(keys).forEach(key -> write(key, list.addObject()));
    return json;
  }

  private static Stream<TokenKey> all(ServiceAccountKeys keys) {
    return Stream.concat(Stream.of(keys.publicKey()), keys.others().stream()).map(TokenKey::of);
  }

  private static void write(TokenKey key, ObjectNode json) {
    json.put("use", "sig");
    switch (key.key()) {
      case RSAPublicKey rsa ->
          json.put("kty", "RSA")
              .put("kid", key.id())
              .put("alg", key.algorithm())
              .put("n", number(rsa.getModulus()))
              .put("e", number(rsa.getPublicExponent()));
      case ECPublicKey ec ->
          json.put("kty", "EC")
              .put("kid", key.id())
              .put("crv", "P-256")
              .put("alg", key.algorithm())
              .put("x", coordinate(ec.getW().getAffineX()))
              .put("y", coordinate(ec.getW().getAffineY()));
      default -> throw new IllegalArgumentException("not a key of tokens: " + key.id());
    }
  }

  /// RFC 7518 section 6.3.1: without leading zeros.
  private static String number(BigInteger value) {
    byte[] bytes = value.toByteArray();
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
  }

  /// RFC 7518 section 6.2.1.2: as long as the curve's field, with leading zeros.
  private static String coordinate(BigInteger value) {
    byte[] bytes = value.toByteArray();
    byte[] fixed = new byte[COORDINATE_BYTES];
    int length = Math.min(bytes.length, COORDINATE_BYTES);
    System.arraycopy(bytes, bytes.length - length, fixed, COORDINATE_BYTES - length, length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(fixed);
  }
}
