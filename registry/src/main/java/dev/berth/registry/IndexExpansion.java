package dev.berth.registry;

import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.transport.FailureKind;
import dev.berth.registry.transport.TransportException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Replaces nested indexes by their entries, in place, within bounds that no real image comes near.
final class IndexExpansion {
  private static final int DEPTH = 4;
  private static final int INDEXES = 32;

  private final ImageRepository repository;
  private final Set<String> ancestors = new HashSet<>();
  private final List<IndexEntry> entries = new ArrayList<>();
  private int read;

  private IndexExpansion(ImageRepository repository) {
    this.repository = repository;
  }

  static ImageIndex expand(RegistryDocument index, ImageRepository repository) {
    IndexExpansion expansion = new IndexExpansion(repository);
    expansion.add(index);
    return new ImageIndex(expansion.entries);
  }

  private void add(RegistryDocument index) {
    ancestors.add(index.digest());
    if (ancestors.size() > DEPTH) {
      throw refused("nests indexes deeper than %d".formatted(DEPTH));
    }
    for (IndexEntry entry : IndexReader.index(index.json()).entries()) {
      if (!entry.isIndex() || entry.isAttestation()) {
        entries.add(entry);
        continue;
      }
      int first = entries.size();
      add(nested(entry));
      for (int i = first; i < entries.size(); i++) {
        entries.set(i, entries.get(i).within(entry));
      }
    }
    ancestors.remove(index.digest());
  }

  private RegistryDocument nested(IndexEntry entry) {
    if (++read > INDEXES) {
      throw refused("names more than %d nested indexes".formatted(INDEXES));
    }
    return repository.nested(entry.digest(), ancestors);
  }

  private static TransportException refused(String why) {
    return new TransportException(FailureKind.NOT_A_MANIFEST, "the index " + why);
  }
}
