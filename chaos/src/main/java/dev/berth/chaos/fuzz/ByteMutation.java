package dev.berth.chaos.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Turns valid request bodies into broken ones, by up to four small changes. Used by one thread.
final class ByteMutation {
  /// Texts with a meaning for parsers of JSON, YAML, numbers and paths.
  private static final List<String> TOKENS =
      List.of(
          "\u0000",
          "\r\n",
          "{",
          "}",
          "[[[[",
          "\"",
          "null",
          "-1",
          "1e999",
          "9223372036854775808",
          "../",
          "%00",
          "%2e%2e%2f",
          "\ud83d\ude00",
          "&a [*a,*a]",
          "!!java.lang.Object",
          "true");

  private final Random random;

  ByteMutation(Random random) {
    this.random = random;
  }

  byte[] noise(int most) {
    byte[] bytes = new byte[1 + random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }

  byte[] change(String good) {
    byte[] bytes = good.getBytes(StandardCharsets.UTF_8);
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      bytes = changeOnce(bytes);
    }
    return bytes;
  }

  private byte[] changeOnce(byte[] bytes) {
    int at = random.nextInt(bytes.length + 1);
    return switch (random.nextInt(6)) {
      case 0 -> Arrays.copyOf(bytes, at);
      case 1 -> insert(bytes, at, noise(8));
      case 2 -> insert(bytes, at, token().getBytes(StandardCharsets.UTF_8));
      case 3 -> insert(bytes, at, Arrays.copyOfRange(bytes, at, bytes.length));
      // Deep nesting or a long text.
      case 4 -> insert(bytes, at, token().repeat(2_000).getBytes(StandardCharsets.UTF_8));
      default -> flip(bytes);
    };
  }

  private byte[] flip(byte[] bytes) {
    byte[] changed = bytes.clone();
    if (changed.length > 0) {
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return changed;
  }

  String token() {
    return TOKENS.get(random.nextInt(TOKENS.size()));
  }

  private static byte[] insert(byte[] bytes, int at, byte[] more) {
    byte[] all = new byte[bytes.length + more.length];
    System.arraycopy(bytes, 0, all, 0, at);
    System.arraycopy(more, 0, all, at, more.length);
    System.arraycopy(bytes, at, all, at + more.length, bytes.length - at);
    return all;
  }
}
