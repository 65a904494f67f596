package dev.berth.agent.runtimes.bindings;

/// A pod belongs to a runtime service, for as long as it lives.
///
/// @param handler with which its sandbox is made; empty for the service's own default
public record PodBinding(String podUid, String service, String handler) {}
