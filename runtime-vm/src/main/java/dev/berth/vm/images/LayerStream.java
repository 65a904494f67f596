package dev.berth.vm.images;

import dev.berth.registry.transport.TimeBudget;
import dev.berth.vm.images.layers.LayerFormatException;
import dev.berth.vm.images.layers.LayerLimits;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;

/// The tar file of a layer out of its blob: decompressed, bounded in size and time, with the digest
/// of what was read.
final class LayerStream extends InputStream {
  private static final int BUFFER = 256 * 1024;

  private static final int GZIP = 0x1f8b;
  private static final int ZSTD = 0x28b5;

  private final InputStream tar;
  private final MessageDigest hash = sha256();
  private final byte[] buffer = new byte[BUFFER];
  private final long most;
  private final TimeBudget budget;
  private int position;
  private int end;
  private long size;

  /// @param blob the compressed form, which the caller closes
  /// @param blobSize of the compressed form
  /// @param mediaType for messages
  LayerStream(
      InputStream blob, long blobSize, String mediaType, LayerLimits limits, TimeBudget budget)
      throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(blob, BUFFER);
    this.tar = decompressed(buffered, mediaType);
    this.most =
        Math.min(limits.layerBytes(), Math.max(limits.freeBytes(), blobSize * limits.ratio()));
    this.budget = budget;
  }

  /// By the first bytes: media types are not always right.
  private static InputStream decompressed(BufferedInputStream blob, String mediaType)
      throws IOException {
    blob.mark(2);
    int magic = (blob.read() << 8) | blob.read();
    blob.reset();
    if (magic == ZSTD) {
      throw new LayerFormatException(
          "it is compressed with zstd (%s), which is not supported; gzip and no compression are"
              .formatted(mediaType));
    }
    return magic == GZIP ? new GZIPInputStream(blob, BUFFER) : blob;
  }

  @Override
  public int read() throws IOException {
    return position < end || fill() ? buffer[position++] & 0xff : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position == end && !fill()) {
      return -1;
    }
    int part = Math.min(length, end - position);
    System.arraycopy(buffer, position, bytes, offset, part);
    position += part;
    return part;
  }

  private boolean fill() throws IOException {
    if (budget.isOver()) {
      throw new LayerTimeException();
    }
    int read = tar.readNBytes(buffer, 0, buffer.length);
    size += read;
    if (size > most) {
      throw new LayerFormatException(
          "it has more than %d bytes, which is too much for its compressed size or for any layer"
              .formatted(most));
    }
    hash.update(buffer, 0, read);
    position = 0;
    end = read;
    return read > 0;
  }

  /// To be called once, at the end.
  String digest() {
    return "sha256:" + HexFormat.of().formatHex(hash.digest());
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The time of the pull is over.
  static final class LayerTimeException extends IOException {
    private static final long serialVersionUID = 1;
  }
}
