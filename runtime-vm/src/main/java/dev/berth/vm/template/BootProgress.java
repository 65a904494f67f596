package dev.berth.vm.template;

import java.time.Duration;

/// Decides whether a boot goes on. On a busy host a guest may calibrate its clocks for ever; it
/// then uses its processor and writes nothing.
final class BootProgress {
  /// A whole boot takes three.
  static final Duration SILENT_CPU = Duration.ofSeconds(8);

  /// A guest that waits for something that does not come.
  static final Duration SILENT_TIME = Duration.ofSeconds(60);

  private long written = -1;
  private long cpuThen;
  private long timeThen;

  /// Takes a look at the boot.
  ///
  /// @param writtenNow bytes on the console so far
  /// @param cpuNanos that QEMU used so far
  /// @param nanos of a clock
  /// @return whether it makes no progress
  boolean stuck(long writtenNow, long cpuNanos, long nanos) {
    if (writtenNow != written) {
      written = writtenNow;
      cpuThen = cpuNanos;
      timeThen = nanos;
      return false;
    }
    return cpuNanos - cpuThen > SILENT_CPU.toNanos() || nanos - timeThen > SILENT_TIME.toNanos();
  }
}
