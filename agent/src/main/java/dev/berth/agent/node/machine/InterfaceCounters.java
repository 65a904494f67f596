package dev.berth.agent.node.machine;

/// What went through one network interface since it is there.
public record InterfaceCounters(
    String name, long receivedBytes, long receivedErrors, long sentBytes, long sentErrors) {}
