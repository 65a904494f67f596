package dev.berth.agent.volumes.payloads;

import com.google.protobuf.ByteString;

/// A file of a volume.
///
/// @param mode permission bits
public record FileContent(ByteString bytes, int mode) {
  static FileContent of(byte[] bytes, int mode) {
    return new FileContent(ByteString.copyFrom(bytes), mode);
  }

  /// Without the bytes, which may be secret.
  @Override
  public String toString() {
    return "%d bytes, mode %o".formatted(bytes.size(), mode);
  }
}
