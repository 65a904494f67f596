package dev.berth.server.http.encoding;

/// Concatenates byte arrays.
final class ByteChunks {
  private ByteChunks() {}

  static byte[] join(byte[]... pieces) {
    int length = 0;
    for (byte[] piece : pieces) {
      length += piece.length;
    }
    byte[] joined = new byte[length];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, joined, at, piece.length);
      at += piece.length;
    }
    return joined;
  }
}
