package dev.berth.vm.guest;

import dev.berth.vm.guest.model.TreeEntry;
import dev.berth.vm.guest.model.TreeEntry.TreeDirectory;
import dev.berth.vm.guest.model.TreeEntry.TreeFile;
import dev.berth.vm.guest.model.TreeEntry.TreeLink;
import dev.berth.vm.guest.wire.BodyWriter;
import java.util.function.BiConsumer;

/// Sends the entries of a tree in pieces, so that a large tree holds up nothing else.
final class TreeUpload {
  /// Entries of a request; one entry may go over it by its path.
  private static final int PIECE = 48 << 10;

  private final BiConsumer<Integer, BodyWriter> sender;
  private BodyWriter piece = new BodyWriter();
  private int count;

  /// @param sender is given the number of entries of a piece, and the entries
  TreeUpload(BiConsumer<Integer, BodyWriter> sender) {
    this.sender = sender;
  }

  void add(TreeEntry entry) {
    piece.string(entry.path());
    switch (entry) {
      case TreeFile file -> file(file);
      case TreeDirectory(_, int mode, int uid, int gid) -> piece.u8(2).u32(mode).u32(uid).u32(gid);
      case TreeLink(_, String target) -> piece.u8(3).string(target);
    }
    added();
  }

  private void file(TreeFile file) {
    piece.u8(1).u32(file.mode()).u32(file.uid()).u32(file.gid());
    int sent = put(file.bytes(), 0);
    while (sent < file.bytes().length) {
      added();
      piece.string(file.path()).u8(4);
      sent += put(file.bytes(), sent);
    }
  }

  private int put(byte[] bytes, int from) {
    int length = Math.min(Math.max(PIECE - piece.size(), 1), bytes.length - from);
    piece.u32(length).raw(bytes, from, length);
    return length;
  }

  private void added() {
    count++;
    if (piece.size() >= PIECE) {
      flush();
    }
  }

  /// Sends what was not sent.
  void flush() {
    if (count > 0) {
      sender.accept(count, piece);
      piece = new BodyWriter();
      count = 0;
    }
  }
}
