/// The memory behind every store: all live entries as immutable sorted maps, and a bounded history
/// per bucket for watches.
///
/// Knows nothing of journals; one thread applies changes, any thread reads. Start reading at
/// [MemoryStore].
@NullMarked
package dev.berth.store.memory;

import org.jspecify.annotations.NullMarked;
