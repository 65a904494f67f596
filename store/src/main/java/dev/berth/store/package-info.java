/// The store's contract: revisions, compare-and-set, consistent snapshots, watch from a revision.
///
/// Owns no storage itself: `embedded` keeps objects in memory with a SQLite journal beside it,
/// `etcd` feeds the same memory from etcd, `memory` is what both share. Start reading at [Store].
@NullMarked
package dev.berth.store;

import org.jspecify.annotations.NullMarked;
