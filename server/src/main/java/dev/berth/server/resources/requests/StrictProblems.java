package dev.berth.server.resources.requests;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.patch.JsonPatch;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Lists the problems that strict decoding finds: upstream's texts, without duplicates, in the
/// order of the document.
public final class StrictProblems {
  /// Upstream's limit.
  private static final int MOST = 100;

  private final Set<String> unknown;
  private final Set<String> duplicates;
  private final List<String> found = new ArrayList<>();

  private StrictProblems(List<String> unknown, List<String> duplicates) {
    this.unknown = Set.copyOf(unknown);
    this.duplicates = new LinkedHashSet<>(duplicates);
  }

  /// Lists the problems of a body that is a whole object.
  ///
  /// @param unknown unknown fields in the order of the document
  public static List<String> of(RequestBody body, List<String> unknown) {
    return of(body.tree(), body.duplicates(), unknown);
  }

  private static List<String> of(JsonNode tree, List<String> duplicates, List<String> unknown) {
    if (duplicates.isEmpty() && unknown.isEmpty()) {
      return List.of();
    }
    if (duplicates.isEmpty()) {
      return unknown.stream().map(StrictProblems::unknown).distinct().limit(MOST).toList();
    }
    StrictProblems problems = new StrictProblems(unknown, duplicates);
    problems.walk(tree, "", true);
    // The remaining ones are in values that later duplicates replaced.
    return Stream.concat(
            problems.found.stream(), problems.duplicates.stream().map(StrictProblems::duplicate))
        .limit(MOST)
        .toList();
  }

  /// A patch is decoded before it is applied: its own problems come first, then those of the
  /// result.
  public static List<String> ofPatch(PatchBody patch, List<String> unknown) {
    Stream<String> own =
        patch.type() == PatchBody.Type.JSON
            ? ofOperations(patch).stream().map(problem -> "json patch " + problem)
            : patch.duplicates().stream().map(StrictProblems::duplicate);
    return Stream.concat(own, unknown.stream().map(StrictProblems::unknown))
        .distinct()
        .limit(MOST)
        .toList();
  }

  private static List<String> ofOperations(PatchBody patch) {
    List<String> unknown = new ArrayList<>();
    for (int i = 0; i < patch.patch().size(); i++) {
      for (Map.Entry<String, JsonNode> field : patch.patch().get(i).properties()) {
        if (!JsonPatch.FIELDS.contains(field.getKey())) {
          unknown.add("[" + i + "]." + field.getKey());
        }
      }
    }
    return of(patch.patch(), patch.duplicates(), unknown);
  }

  /// The walk restores the order of the document: the parser reports duplicates and the normalizer
  /// unknown fields, each in a list of its own.
  ///
  /// @param known unknown fields so far; nothing inside of them is reported
  private void walk(JsonNode value, String path, boolean known) {
    for (int i = 0; value.isArray() && i < value.size(); i++) {
      walk(value.get(i), path + "[" + i + "]", known);
    }
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      String child = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
      boolean repeated = duplicates.remove(child);
      boolean strange = unknown.contains(child);
      if (known && (strange || repeated)) {
        found.add(strange ? unknown(child) : duplicate(child));
      }
      walk(field.getValue(), child, known && !strange);
    }
  }

  private static String unknown(String path) {
    return "unknown field \"" + path + "\"";
  }

  private static String duplicate(String path) {
    return "duplicate field \"" + path + "\"";
  }
}
