package dev.berth.agent.usage;

/// The traffic of one network interface since its creation.
public record InterfaceCounters(
    String name, long receivedBytes, long receivedErrors, long sentBytes, long sentErrors) {}
