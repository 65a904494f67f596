package dev.berth.store;

/// One live object at one revision.
public record StoreEntry<V>(String key, V value, long createRevision, long revision) {}
