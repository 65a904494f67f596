package dev.berth.store.memory;

import java.util.List;

/// Everything a journal held at one revision.
public record JournalContents<V>(long revision, List<HeldEntry<V>> entries) {}
