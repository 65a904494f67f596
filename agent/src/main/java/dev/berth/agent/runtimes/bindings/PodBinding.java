package dev.berth.agent.runtimes.bindings;

/// A pod is bound to a runtime service for its lifetime.
///
/// @param handler the handler of its sandbox; empty for the service's default
public record PodBinding(String podUid, String service, String handler) {}
