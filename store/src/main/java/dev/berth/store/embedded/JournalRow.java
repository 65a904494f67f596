package dev.berth.store.embedded;

import org.jspecify.annotations.Nullable;

/// One row for the journal: the object's new bytes, or null when it was deleted at `revision`. The
/// row is new in the file if both revisions are equal.
@SuppressWarnings("ArrayRecordComponent") // never compared
record JournalRow(String key, byte @Nullable [] value, long createRevision, long revision) {}
