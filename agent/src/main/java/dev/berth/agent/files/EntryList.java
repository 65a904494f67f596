package dev.berth.agent.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// All names of a directory that mostly the agent writes.
record EntryList(DirectoryHandle directory) {
  List<byte[]> names() throws IOException {
    List<byte[]> names = new ArrayList<>();
    try (LinuxCalls calls = new LinuxCalls()) {
      EntryReader reader = new EntryReader(calls);
      for (long position = 0; ; ) {
        EntryReader.Piece piece = reader.read(directory.descriptor(), position, directory.path());
        if (piece.isLast()) {
          return names;
        }
        piece.entries().forEach(entry -> names.add(entry.name()));
        position = piece.next();
      }
    }
  }
}
