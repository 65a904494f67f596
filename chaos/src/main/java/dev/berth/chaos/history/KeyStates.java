package dev.berth.chaos.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// The possible values of each key: one after an acknowledged write, several after a write with an
/// unknown outcome.
///
/// A key has one writer, which writes it in sequence. After an unknown outcome it never writes the
/// key again, because such a write may take effect at any later time.
public final class KeyStates {
  /// The value of a key that does not exist.
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

  /// The contradictions between acknowledged writes and actual values. All writers must have
  /// stopped.
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
