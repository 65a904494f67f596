package dev.berth.api.certificates;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// A JSON Web Signature (HS256) with detached content, with which bootstrap tokens sign
/// `kube-public/cluster-info`.
public final class DetachedSignature {
  private DetachedSignature() {}

  /// Signs a text, with a result such as `eyJh...In0..c2ln`: the content between the dots is
  /// omitted.
  public static String of(String content, String tokenId, String tokenSecret) {
    String header = encode("{\"alg\":\"HS256\",\"kid\":\"%s\"}".formatted(tokenId).getBytes(UTF_8));
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(tokenSecret.getBytes(UTF_8), "HmacSHA256"));
      byte[] signed = mac.doFinal((header + "." + encode(content.getBytes(UTF_8))).getBytes(UTF_8));
      return header + ".." + encode(signed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no HMAC", e);
    }
  }

  /// Whether the token signed the content.
  public static boolean isValid(
      String signature, String content, String tokenId, String tokenSecret) {
    // Compares in constant time: the time of the answer must not reveal the signature byte by byte.
    return MessageDigest.isEqual(
        signature.getBytes(UTF_8), of(content, tokenId, tokenSecret).getBytes(UTF_8));
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
