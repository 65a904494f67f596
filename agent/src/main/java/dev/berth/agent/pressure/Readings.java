package dev.berth.agent.pressure;

import java.util.EnumMap;
import java.util.Map;

/// How much of everything is left at one moment.
///
/// @param signals those that could be read
/// @param hasImageDisk whether images and what containers write are on a disk of their own
public record Readings(Map<Signal, Reading> signals, boolean hasImageDisk) {
  public static final Readings NONE = new Readings(Map.of(), false);

  /// Bytes, inodes or process ids.
  public record Reading(long available, long capacity) {}

  public Readings {
    Map<Signal, Reading> copy = new EnumMap<>(Signal.class);
    copy.putAll(signals);
    signals = copy;
  }
}
