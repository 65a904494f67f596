package dev.berth.store.embedded;

import dev.berth.store.StoreEntry;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.memory.HeldEntry;
import dev.berth.store.memory.JournalContents;
import java.nio.file.Path;
import java.util.List;

/// The objects of a directory as bytes, read without a server.
///
/// @param revision of the newest change
public record StoredContents(long revision, List<StoreEntry<byte[]>> entries) {
  public StoredContents {
    entries = List.copyOf(entries);
  }

  /// Reads everything and checks it; changes nothing.
  ///
  /// @throws StoreUnavailableException when the objects are damaged or cannot be read
  public static StoredContents read(Path directory) {
    JournalContents<byte[]> contents =
        SqliteLoader.load(directory.resolve(EmbeddedStore.FILE), (_, value) -> _ -> value);
    return new StoredContents(
        contents.revision(), contents.entries().stream().map(HeldEntry::entry).toList());
  }
}
