package dev.berth.controllers.workloads;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Generates the random and hashed parts of names, from letters and digits that form no words.
public final class GeneratedNames {
  /// Upstream's alphabet: without vowels no word can appear, and without 0, 1 and 3 no digit looks
  /// like a letter.
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX = 5;
  private static final int HASH = 10;

  private GeneratedNames() {}

  static String suffix(RandomGenerator random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < SUFFIX; i++) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }

  /// The hash of a template; the order of its fields does not matter.
  ///
  /// @param collisions how often another template already had the resulting name
  public static String hash(JsonNode template, int collisions) {
    StringBuilder canonical = new StringBuilder();
    // The server may return fields in another order after an update; the hash must stay the same.
    write(template, canonical);
    canonical.append(collisions == 0 ? "" : "#" + collisions);
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(canonical.toString().getBytes(StandardCharsets.UTF_8));
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < HASH; i++) {
        text.append(ALPHABET.charAt((digest[i] & 0xff) % ALPHABET.length()));
      }
      return text.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /// Writes a tree with sorted fields, so that equal templates give equal texts.
  private static void write(JsonNode node, StringBuilder into) {
    if (node.isObject()) {
      Map<String, JsonNode> sorted = new TreeMap<>();
      node.propertyStream().forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
      into.append('{');
      sorted.forEach(
          (name, value) -> {
            into.append(name).append(':');
            write(value, into);
            into.append(',');
          });
      into.append('}');
    } else if (node.isArray()) {
      into.append('[');
      node.forEach(
          one -> {
            write(one, into);
            into.append(',');
          });
      into.append(']');
    } else {
      into.append(node);
    }
  }
}
