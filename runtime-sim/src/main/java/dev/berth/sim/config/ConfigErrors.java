package dev.berth.sim.config;

import java.util.ArrayList;
import java.util.List;

/// The mistakes of a configuration. Readers collect them, so that a user sees all mistakes at once.
/// Used by one thread.
public final class ConfigErrors {
  private final List<String> texts = new ArrayList<>();

  public void add(String place, String text) {
    texts.add(place.isEmpty() ? text : place + ": " + text);
  }

  public List<String> list() {
    return List.copyOf(texts);
  }

  public boolean none() {
    return texts.isEmpty();
  }
}
