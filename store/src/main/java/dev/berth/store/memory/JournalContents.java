package dev.berth.store.memory;

import java.util.List;

/// The contents of a journal at one revision.
public record JournalContents<V>(long revision, List<HeldEntry<V>> entries) {}
