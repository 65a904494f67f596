package dev.berth.agent.runtimes;

/// An image that a handler got.
///
/// @param name in full, with tag or digest
/// @param handler empty for the default one
public record HandlerImage(String name, String handler) {}
