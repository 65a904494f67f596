package dev.berth.store.embedded;

import org.jspecify.annotations.Nullable;

/// One line for the journal: the object's new bytes, or null when it was deleted at `revision`.
@SuppressWarnings("ArrayRecordComponent") // never compared
record JournalRow(String key, byte @Nullable [] value, long createRevision, long revision) {}
