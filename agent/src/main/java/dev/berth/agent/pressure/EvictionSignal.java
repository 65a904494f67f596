package dev.berth.agent.pressure;

import java.util.Arrays;
import java.util.Optional;

/// Something of which a node has a limited amount, by the kubelet's names.
public enum EvictionSignal {
  MEMORY("memory.available", PressureCondition.MEMORY, "memory"),
  NODE_DISK("nodefs.available", PressureCondition.DISK, "ephemeral-storage"),
  NODE_INODES("nodefs.inodesFree", PressureCondition.DISK, "inodes"),
  IMAGE_DISK("imagefs.available", PressureCondition.DISK, "ephemeral-storage"),
  IMAGE_INODES("imagefs.inodesFree", PressureCondition.DISK, "inodes"),
  PIDS("pid.available", PressureCondition.PID, "pids");

  private final String text;
  private final PressureCondition pressure;
  private final String resource;

  EvictionSignal(String text, PressureCondition pressure, String resource) {
    this.text = text;
    this.pressure = pressure;
    this.resource = resource;
  }

  public static Optional<EvictionSignal> of(String text) {
    return Arrays.stream(values()).filter(one -> one.text.equals(text)).findFirst();
  }

  /// The condition of a node that has too little of it.
  public PressureCondition pressure() {
    return pressure;
  }

  /// What pods use of it, as messages call it.
  public String resource() {
    return resource;
  }

  /// Whether it can be had back from images and containers that nobody needs.
  public boolean isDisk() {
    return pressure == PressureCondition.DISK;
  }

  /// Whether it is of the disk where images and the layers of containers are.
  public boolean isOfImages() {
    return this == IMAGE_DISK || this == IMAGE_INODES;
  }

  @Override
  public String toString() {
    return text;
  }
}
