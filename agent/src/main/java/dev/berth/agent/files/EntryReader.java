package dev.berth.agent.files;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Reads directories in pieces, so that millions of entries need no more memory than a few.
final class EntryReader {
  /// The size of one `getdents64`: a directory may have millions of entries, so it is read piece by
  /// piece.
  private static final int PIECE = 16 << 10;

  private final LinuxCalls calls;
  private final MemorySegment buffer;

  EntryReader(LinuxCalls calls) {
    this.calls = calls;
    this.buffer = calls.allocate(PIECE);
  }

  /// @param type `d_type`; 0 where the file system does not report it
  @SuppressWarnings("ArrayRecordComponent") // names need not be text, and nobody compares entries
  record Entry(byte[] name, int type) {
    private static final int UNKNOWN = 0;
    private static final int DIRECTORY = 4;

    boolean mayBeDirectory() {
      return type == DIRECTORY || type == UNKNOWN;
    }
  }

  /// Some entries.
  ///
  /// @param next the position of the next piece
  /// @param isLast whether the directory has no more
  record Piece(List<Entry> entries, long next, boolean isLast) {}

  /// @param position 0 for the beginning
  Piece read(int directory, long position, Object subject) throws IOException {
    calls.seek(directory, position, subject);
    int length = calls.entries(directory, buffer, subject);
    List<Entry> entries = new ArrayList<>();
    long next = position;
    for (int at = 0; at < length; ) {
      MemorySegment entry = buffer.asSlice(at);
      next = entry.get(JAVA_LONG, 8);
      int size = Short.toUnsignedInt(entry.get(JAVA_SHORT, 16));
      int end = 19;
      while (entry.get(JAVA_BYTE, end) != 0) {
        end++;
      }
      byte[] name = entry.asSlice(19, end - 19).toArray(JAVA_BYTE);
      if (!LinuxCalls.isDots(name)) {
        entries.add(new Entry(name, entry.get(JAVA_BYTE, 18)));
      }
      at += size;
    }
    return new Piece(entries, next, length == 0);
  }
}
