package dev.berth.store.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Distinguishes a damaged write-ahead log from one that ends within an unfinished write.
///
/// SQLite silently drops everything from the first wrong checksum on. That is right after a power
/// cut: every transaction is synced before the next one is written, so that only frames of the last
/// one can be missing, in any selection. It is wrong when two or more transactions end behind the
/// first bad frame: the first of them was synced, and perhaps acknowledged.
///
/// Checksums are chained and every frame stores its own, so that two frames can be recognized as
/// neighbors although an earlier frame is bad. Frames of an earlier round of the log, and of
/// transactions that were rolled back, do not continue such a chain or end in one commit only.
///
/// The format: https://www.sqlite.org/fileformat2.html#walformat
final class WalCheck {
  private static final int HEADER = 32;
  private static final int FRAME_HEADER = 24;
  private static final int MAGIC = 0x377f0682;
  private static final int MAGIC_BIG_ENDIAN = 0x377f0683;

  /// What is wrong with a log.
  ///
  /// @param frame the first bad frame, counted from 1; 0 when it is the header
  /// @param validBytes the length of the file before that frame
  record Damage(long frame, long validBytes) {
    String where() {
      return frame == 0 ? "its header" : "frame " + frame;
    }
  }

  private final ByteBuffer frame;
  private final boolean validHeader;
  private final ByteOrder order;
  private long salts;
  private long sum;

  private WalCheck(ByteBuffer header, int pageSize) {
    this.frame = ByteBuffer.allocate(FRAME_HEADER + pageSize);
    this.order =
        header.getInt(0) == MAGIC_BIG_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    this.salts = header.getLong(16);
    this.sum = header.getLong(24);
    this.validHeader =
        (header.getInt(0) & ~1) == MAGIC && checksum(0, header.order(order), 0, 24) == sum;
  }

  static Optional<Damage> find(Path log, int pageSize) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(log), 1 << 18)) {
      byte[] header = new byte[HEADER];
      return in.readNBytes(header, 0, HEADER) < HEADER
          ? Optional.empty()
          : new WalCheck(ByteBuffer.wrap(header), pageSize).walk(in);
    }
  }

  private Optional<Damage> walk(InputStream in) throws IOException {
    boolean valid = validHeader;
    long good = 0;
    int commits = 0;
    while (in.readNBytes(frame.array(), 0, frame.capacity()) == frame.capacity()) {
      boolean ours = isOfThisRound();
      boolean chained = ours && followsTheLast();
      boolean commit = ours && frame.getInt(4) != 0;
      sum = frame.getLong(16);
      if (valid && chained) {
        good++;
        continue;
      }
      valid = false;
      commits = (chained ? commits : 0) + (commit ? 1 : 0);
      if (commits >= 2) {
        return Optional.of(damage(good));
      }
    }
    return Optional.empty();
  }

  private Damage damage(long good) {
    return validHeader ? new Damage(good + 1, HEADER + good * frame.capacity()) : new Damage(0, 0);
  }

  /// The header has the salts of this round; if the header is bad, the salts of the previous frame
  /// count.
  private boolean isOfThisRound() {
    long own = frame.getLong(8);
    boolean same = own == salts;
    if (!validHeader) {
      salts = own;
    }
    return same;
  }

  private boolean followsTheLast() {
    frame.order(order);
    long expected = checksum(checksum(sum, frame, 0, 8), frame, FRAME_HEADER, frame.capacity());
    frame.order(ByteOrder.BIG_ENDIAN);
    return expected == frame.getLong(16);
  }

  /// The two running sums, the first one in the upper half.
  private static long checksum(long seed, ByteBuffer bytes, int from, int to) {
    int first = (int) (seed >>> 32);
    int second = (int) seed;
    for (int at = from; at < to; at += 8) {
      first += bytes.getInt(at) + second;
      second += bytes.getInt(at + 4) + first;
    }
    return (long) first << 32 | (second & 0xffffffffL);
  }
}
