package dev.berth.registry.transport;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// The names of contents by their SHA-256.
public final class ContentDigest {
  private static final Pattern SYNTAX = Pattern.compile("sha256:[0-9a-f]{64}");

  private ContentDigest() {}

  public static String of(byte[] content) {
    return text(sha256().digest(content));
  }

  public static boolean isValid(String text) {
    return SYNTAX.matcher(text).matches();
  }

  static String text(byte[] hash) {
    return "sha256:" + HexFormat.of().formatHex(hash);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
