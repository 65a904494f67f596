package dev.berth.agent.usage;

/// What went through one network interface since it is there.
public record InterfaceCounters(
    String name, long receivedBytes, long receivedErrors, long sentBytes, long sentErrors) {}
