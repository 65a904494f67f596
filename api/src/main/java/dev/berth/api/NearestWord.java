package dev.berth.api;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Finds the known word that is nearest to a misspelled one, for the remedy of a message.
public final class NearestWord {
  private NearestWord() {}

  /// The known word with the smallest edit distance; empty when all are too different.
  public static Optional<String> to(String word, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(other -> distance(word, other)))
        // A third of the word may be wrong; a suggestion beyond that would mislead.
        .filter(other -> distance(word, other) <= Math.max(1, word.length() / 3));
  }

  /// The edit distance (insertions, deletions, replacements), without regard to case.
  static int distance(String one, String other) {
    String from = one.toLowerCase(Locale.ROOT);
    String to = other.toLowerCase(Locale.ROOT);
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int change = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
