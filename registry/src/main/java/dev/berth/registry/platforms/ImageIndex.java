package dev.berth.registry.platforms;

import java.util.List;

/// The entries of an OCI index or Docker manifest list, in their order.
public record ImageIndex(List<IndexEntry> entries) {
  public ImageIndex {
    entries = List.copyOf(entries);
  }

  /// What can be run: neither attestations nor nested indexes.
  public List<IndexEntry> manifests() {
    return entries.stream().filter(entry -> !entry.isAttestation() && !entry.isIndex()).toList();
  }
}
