package dev.berth.server.http.transport;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// Compression at its quickest, for answers that are sent once.
public final class FastGzip extends GZIPOutputStream {
  /// Shorter answers leave as they are, as upstream's do.
  public static final int WORTH_IT = 128 << 10;

  /// With what zlib takes outside of the heap.
  public static final int MEMORY = 300 << 10;

  private static final int BUFFER = 32 << 10;

  public FastGzip(OutputStream out) throws IOException {
    super(out, BUFFER);
    def.setLevel(Deflater.BEST_SPEED);
  }
}
