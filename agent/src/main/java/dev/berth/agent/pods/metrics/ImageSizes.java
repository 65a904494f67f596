package dev.berth.agent.pods.metrics;

import java.util.NavigableMap;
import java.util.TreeMap;

/// Size labels of image pull metrics, few enough to bound the number of series.
final class ImageSizes {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final NavigableMap<Long, String> NAMES = new TreeMap<>();

  static {
    NAMES.put(0L, "0-10MB");
    NAMES.put(10 * MIB, "10MB-100MB");
    NAMES.put(100 * MIB, "100MB-500MB");
    NAMES.put(500 * MIB, "500MB-1GB");
    NAMES.put(GIB, "1GB-5GB");
    NAMES.put(5 * GIB, "5GB-10GB");
    NAMES.put(10 * GIB, "10GB-20GB");
    NAMES.put(20 * GIB, "20GB-30GB");
    NAMES.put(30 * GIB, "30GB-40GB");
    NAMES.put(40 * GIB, "40GB-60GB");
    NAMES.put(60 * GIB, "60GB-100GB");
    NAMES.put(100 * GIB, "GT100GB");
  }

  private ImageSizes() {}

  static String name(long bytes) {
    return bytes <= 0 ? "N/A" : NAMES.floorEntry(bytes).getValue();
  }
}
