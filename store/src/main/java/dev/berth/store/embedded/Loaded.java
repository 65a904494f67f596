package dev.berth.store.embedded;

import dev.berth.store.memory.Held;
import java.util.List;

/// What a journal held when it was opened.
record Loaded<V>(long revision, List<Held<V>> entries) {}
