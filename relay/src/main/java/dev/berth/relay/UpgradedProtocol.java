package dev.berth.relay;

/// Marks an upgraded connection. It has no requests any more, and counts as in use until it ends.
public interface UpgradedProtocol {}
