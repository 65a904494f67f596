package dev.berth.sim.config;

import java.util.ArrayList;
import java.util.List;

/// What is wrong with a configuration, collected while it is read.
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
