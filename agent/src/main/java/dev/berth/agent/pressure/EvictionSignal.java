package dev.berth.agent.pressure;

import java.util.Arrays;
import java.util.Optional;

/// A resource that a node can run short of, by the kubelet's names.
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

  /// The node condition for this signal.
  public PressureCondition pressure() {
    return pressure;
  }

  /// The name of the resource in messages.
  public String resource() {
    return resource;
  }

  /// Whether unused images and containers can be removed to reclaim it.
  public boolean isDisk() {
    return pressure == PressureCondition.DISK;
  }

  /// Whether it belongs to the disk of images and container layers.
  public boolean isOfImages() {
    return this == IMAGE_DISK || this == IMAGE_INODES;
  }

  @Override
  public String toString() {
    return text;
  }
}
