package dev.berth.agent.pressure;

import dev.berth.cri.CriEndpoint;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/// Readings of all signals at one moment.
///
/// @param signals those that could be read
/// @param hasImageDisk whether images and writable layers have a disk of their own
/// @param onImageDisk the image services on the disk that was read as the image disk; others may
///   use other disks
public record SignalReadings(
    Map<EvictionSignal, Reading> signals, boolean hasImageDisk, Set<CriEndpoint> onImageDisk) {
  public static final SignalReadings NONE = new SignalReadings(Map.of(), false, Set.of());

  /// Bytes, inodes or process ids.
  public record Reading(long available, long capacity) {}

  public SignalReadings {
    Map<EvictionSignal, Reading> copy = new EnumMap<>(EvictionSignal.class);
    copy.putAll(signals);
    signals = copy;
    onImageDisk = Set.copyOf(onImageDisk);
  }
}
