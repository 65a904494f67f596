package dev.berth.api.certificates;

import java.util.HexFormat;

/// Encodes bytes as hexadecimal text, to be a key of a map.
final class HexKey {
  private HexKey() {}

  static String of(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
