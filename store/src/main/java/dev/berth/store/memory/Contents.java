package dev.berth.store.memory;

import java.util.List;

/// Everything a journal held at one revision.
public record Contents<V>(long revision, List<Held<V>> entries) {}
