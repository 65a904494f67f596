package dev.berth.vm.images.tar;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Reads the entries of a tar stream one after the other. What it keeps in memory is bounded; the
/// size of the stream is bounded by the caller.
public final class TarReader {
  /// Of an extended header or a long name.
  private static final int MOST_EXTENDED = 1024 * 1024;

  private final InputStream in;

  /// Of the content of the current entry.
  private long remaining;

  private long padding;

  /// Of the extended headers of the current entry, together.
  private long extendedBytes;

  public TarReader(InputStream in) {
    this.in = in;
  }

  /// The next entry, after what is left of the content of the one before; null at the end.
  public @Nullable TarEntry next() throws IOException {
    skipContent();
    extendedBytes = 0;
    PaxRecords pax = new PaxRecords();
    String longName = null;
    String longLink = null;
    boolean isExtended = false;
    while (true) {
      TarHeader header = header();
      if (header == null) {
        if (isExtended) {
          throw new TarFormatException("the tar file ends behind an extended header");
        }
        return null;
      }
      switch (header.type()) {
        case 'x' -> pax.add(extended(header));
        case 'L' -> longName = terminated(extended(header));
        case 'K' -> longLink = terminated(extended(header));
        case 'g' -> {
          // Defaults for all entries, in practice the comment of `git archive`.
          begin(header.size());
          skipContent();
        }
        default -> {
          return entry(header, pax, longName, longLink);
        }
      }
      isExtended = header.type() != 'g';
    }
  }

  private @Nullable TarHeader header() throws IOException {
    TarHeader header = block();
    if (header == null) {
      return null;
    }
    if (!header.isZero()) {
      header.check();
      return header;
    }
    TarHeader second = block();
    if (second != null && !second.isZero()) {
      throw new TarFormatException("the tar file goes on behind its end");
    }
    return null;
  }

  private @Nullable TarHeader block() throws IOException {
    byte[] block = new byte[TarHeader.SIZE];
    int read = in.readNBytes(block, 0, block.length);
    if (read == 0) {
      return null;
    }
    if (read < block.length) {
      throw new TarFormatException("the tar file ends in a header");
    }
    return new TarHeader(block);
  }

  private byte[] extended(TarHeader header) throws IOException {
    long size = header.size();
    extendedBytes += size;
    if (size < 0 || size > MOST_EXTENDED || extendedBytes > MOST_EXTENDED) {
      throw new TarFormatException(
          "an entry of the tar file has extended headers of more than %d bytes"
              .formatted(MOST_EXTENDED));
    }
    begin(size);
    byte[] content = new byte[(int) size];
    for (int filled = 0; filled < content.length; ) {
      filled += read(content, filled, content.length - filled);
    }
    skipContent();
    return content;
  }

  private static String terminated(byte[] content) {
    int end = 0;
    while (end < content.length && content[end] != 0) {
      end++;
    }
    return new String(content, 0, end, StandardCharsets.ISO_8859_1);
  }

  private TarEntry entry(
      TarHeader header, PaxRecords pax, @Nullable String longName, @Nullable String longLink)
      throws IOException {
    String name = first(pax.path(), longName, header.name());
    TarEntryType type = type(header.type(), name);
    boolean isDevice = type == TarEntryType.CHARACTER_DEVICE || type == TarEntryType.BLOCK_DEVICE;
    boolean isLink = type == TarEntryType.HARD_LINK || type == TarEntryType.SYMLINK;
    long size = pax.number("size", header.size());
    long[] mtime = pax.mtime();
    TarEntry entry =
        new TarEntry(
            name,
            type,
            (int) header.mode() & 07777,
            pax.number("uid", header.uid()),
            pax.number("gid", header.gid()),
            type == TarEntryType.FILE ? size : 0,
            mtime == null ? header.mtime() : mtime[0],
            mtime == null ? 0 : (int) mtime[1],
            isLink ? first(pax.linkPath(), longLink, header.linkName()) : "",
            isDevice ? header.deviceMajor() : 0,
            isDevice ? header.deviceMinor() : 0,
            pax.xattrs());
    // Sizes of links and directories are history: only files have content.
    begin(entry.size());
    return entry;
  }

  private static String first(@Nullable String pax, @Nullable String gnu, String usual) {
    return pax != null ? pax : gnu != null ? gnu : usual;
  }

  private static TarEntryType type(byte flag, String name) throws TarFormatException {
    return switch (flag) {
      case 0, '0', '7' -> name.endsWith("/") ? TarEntryType.DIRECTORY : TarEntryType.FILE;
      case '1' -> TarEntryType.HARD_LINK;
      case '2' -> TarEntryType.SYMLINK;
      case '3' -> TarEntryType.CHARACTER_DEVICE;
      case '4' -> TarEntryType.BLOCK_DEVICE;
      case '5' -> TarEntryType.DIRECTORY;
      case '6' -> TarEntryType.FIFO;
      case 'S' -> throw sparse();
      default ->
          throw new TarFormatException(
              "the tar file has an entry of type %s, which is not accepted"
                  .formatted(flag > ' ' ? "'" + (char) flag + "'" : String.valueOf(flag)));
    };
  }

  static TarFormatException sparse() {
    return new TarFormatException(
        "the tar file has sparse files, which are not accepted (write it without --sparse)");
  }

  private void begin(long size) throws TarFormatException {
    if (size < 0) {
      throw new TarFormatException("the tar file has an entry of negative size");
    }
    remaining = size;
    padding = -size & (TarHeader.SIZE - 1);
  }

  /// Reads content of the current entry; -1 at its end.
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (remaining == 0) {
      return -1;
    }
    int read = in.read(buffer, offset, (int) Math.min(length, remaining));
    if (read < 0) {
      throw truncated();
    }
    remaining -= read;
    return read;
  }

  private void skipContent() throws IOException {
    try {
      in.skipNBytes(remaining);
      in.skipNBytes(padding);
    } catch (EOFException _) {
      throw truncated();
    }
    remaining = 0;
    padding = 0;
  }

  private static TarFormatException truncated() {
    return new TarFormatException("the tar file ends within the content of an entry");
  }
}
