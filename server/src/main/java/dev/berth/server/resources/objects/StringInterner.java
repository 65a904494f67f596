package dev.berth.server.resources.objects;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Keeps one copy of words that many objects have in common, such as label values and phases.
final class StringInterner {
  private static final int CAPACITY = 10_000;

  private final Map<String, String> known = new ConcurrentHashMap<>();

  /// The word, or an equal one that was seen before; beyond the capacity words are left as they
  /// are.
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
