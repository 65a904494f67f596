package dev.berth.server.http.transport;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// Gzip at its fastest level, for answers that are sent once.
///
/// The constructor writes the header of the format at once; close ends the stream and frees zlib's
/// memory, which the garbage collector does not count.
public final class FastGzip extends GZIPOutputStream {
  /// Shorter answers are sent uncompressed, as upstream does.
  public static final int WORTH_IT = 128 << 10;

  /// Memory of one compressor, including zlib's memory outside of the heap.
  public static final int MEMORY = 300 << 10;

  private static final int BUFFER = 32 << 10;

  public FastGzip(OutputStream out) throws IOException {
    super(out, BUFFER);
    def.setLevel(Deflater.BEST_SPEED);
  }
}
