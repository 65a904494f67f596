package dev.berth.relay;

/// Marks a connection that has left HTTP: it has no requests any more, and is in use until it ends.
public interface UpgradedProtocol {}
