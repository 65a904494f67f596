package dev.berth.server.resources;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/// Advice gathered while a request is handled, sent as `Warning` headers; the same words are sent
/// once.
public final class Warnings implements Consumer<String> {
  private final Set<String> texts = new LinkedHashSet<>();

  @Override
  public void accept(String text) {
    texts.add(text);
  }

  public Set<String> texts() {
    return texts;
  }
}
