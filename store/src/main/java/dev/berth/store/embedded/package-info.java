/// The store of a single process: one committer writes groups of changes to a SQLite journal, then
/// to the memory.
///
/// The file holds the live objects only; history is in memory, so after a restart a watch can only
/// resume from the revision at which the store was closed. Start reading at [EmbeddedStore], then
/// [WriteCommitter].
@NullMarked
package dev.berth.store.embedded;

import org.jspecify.annotations.NullMarked;
