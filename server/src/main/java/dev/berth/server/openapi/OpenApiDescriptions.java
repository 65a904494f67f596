package dev.berth.server.openapi;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// The descriptions of types and fields, from the table `descriptions.tsv`.
///
/// Other versions use the description of v1 when they have none, and rows for `*` describe a field
/// of any type.
final class OpenApiDescriptions {
  private static final String TABLE = "descriptions.tsv";

  private final Map<String, String> texts = new HashMap<>();

  private OpenApiDescriptions() {}

  static OpenApiDescriptions load() {
    OpenApiDescriptions descriptions = new OpenApiDescriptions();
    try (InputStream table = OpenApiDescriptions.class.getResourceAsStream(TABLE)) {
      if (table == null) {
        throw new IllegalStateException("resource " + TABLE + " is missing from the server's jar");
      }
      new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8))
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.split("\t", 3))
          .forEach(row -> descriptions.texts.put(row[0] + " " + row[1], row[2]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return descriptions;
  }

  /// Empty when there is none.
  String ofType(String type) {
    return ofField(type, "");
  }

  String ofField(String type, String field) {
    String own = texts.get(type + " " + field);
    if (own != null) {
      return own;
    }
    String asV1 = texts.get(type.replaceFirst("\\.v[0-9a-z]+\\.", ".v1.") + " " + field);
    if (asV1 != null) {
      return asV1;
    }
    return field.isEmpty() ? "" : texts.getOrDefault("* " + field, "");
  }

  Map<String, String> all() {
    return texts;
  }
}
