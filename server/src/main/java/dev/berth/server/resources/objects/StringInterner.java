package dev.berth.server.resources.objects;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Shares strings that many objects have in common, such as label values and phases.
///
/// `String.intern` would keep every string until the process ends; here the capacity bounds what
/// unique values can take. Safe for any number of threads; a race may keep two equal strings apart,
/// which costs only memory.
final class StringInterner {
  /// Bounds the memory: label values may be unique per object.
  private static final int CAPACITY = 10_000;

  private final Map<String, String> known = new ConcurrentHashMap<>();

  /// Returns an equal string that was seen before, or the given one. When the capacity is used up,
  /// new strings are not kept.
  String same(String word) {
    String seen = known.get(word);
    if (seen != null) {
      return seen;
    }
    if (known.size() < CAPACITY) {
      known.put(word, word);
    }
    return word;
  }
}
