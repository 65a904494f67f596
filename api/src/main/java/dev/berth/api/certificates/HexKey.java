package dev.berth.api.certificates;

import java.util.HexFormat;

/// Bytes as text that can be a key of a map.
final class HexKey {
  private HexKey() {}

  static String of(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
