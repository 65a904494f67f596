package dev.berth.vm.guest.model;

/// How many bytes of a container's output the host has. The guest keeps what comes after them.
public record OutputPosition(long stdout, long stderr) {
  public static final OutputPosition START = new OutputPosition(0, 0);
}
