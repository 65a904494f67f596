package dev.berth.chaos.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// For every key the values that it may have: one after an acknowledged write, several after a
/// write of which nobody knows whether it happened.
///
/// One writer owns a key, writes it in sequence, and leaves it alone for ever after an unknown
/// outcome: such a write may take effect at any later time.
public final class KeyStates {
  /// What a key has that does not exist.
  public static final String ABSENT = "(absent)";

  /// Guards `possible`.
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<String, Set<String>> possible = new HashMap<>();

  public void acknowledged(String key, String value) {
    change(key, Set.of(value));
  }

  public void unknown(String key, String value) {
    lock.lock();
    try {
      Set<String> both = new LinkedHashSet<>(possible.getOrDefault(key, Set.of(ABSENT)));
      both.add(value);
      possible.put(key, both);
    } finally {
      lock.unlock();
    }
  }

  private void change(String key, Set<String> values) {
    lock.lock();
    try {
      possible.put(key, values);
    } finally {
      lock.unlock();
    }
  }

  public int size() {
    lock.lock();
    try {
      return possible.size();
    } finally {
      lock.unlock();
    }
  }

  /// What contradicts the acknowledged writes. No writer may run meanwhile.
  ///
  /// @param actual the value of each key that exists
  public List<String> contradictions(Map<String, String> actual) {
    lock.lock();
    try {
      List<String> wrong = new ArrayList<>();
      possible.forEach(
          (key, values) -> {
            String found = actual.getOrDefault(key, ABSENT);
            if (!values.contains(found)) {
              wrong.add("%s is %s, but must be one of %s".formatted(key, found, values));
            }
          });
      return wrong;
    } finally {
      lock.unlock();
    }
  }
}
