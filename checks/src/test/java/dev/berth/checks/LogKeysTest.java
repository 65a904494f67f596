package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Log lines name their values in one style, so that one search finds them: `key={}` with a key in
/// camel case, the cause as `reason`, the advice as `remedy`.
final class LogKeysTest {
  /// The message of a log call, which may be in several literals.
  private static final Pattern CALL =
      Pattern.compile(
          "\\blog\\s*\\.\\s*(?:info|warn|error|debug|trace)\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*\\+?\\s*)+)");

  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern KEY = Pattern.compile("([^\\s=]+)=(?:\\{}|\\\\\")");
  private static final Pattern CAMEL_CASE = Pattern.compile("[a-z][a-zA-Z0-9]*");
  private static final Set<String> OTHER_WORDS = Set.of("why", "error", "problem", "whatToDo");

  private final Sources sources = Sources.ofTheProject();

  @Test
  void keysAreInCamelCaseAndCausesAreReasons() {
    assertThat(sources.main()).flatExtracting(this::mistakes).isEmpty();
  }

  @Test
  void aMistakeIsFound() {
    assertThat(mistakes("log.warn(\"not read lower-case={} file={}: {}\", a, b, c);"))
        .containsExactly("lower-case", ": {}");
    assertThat(mistakes("log.warn(\n  \"not read\"\n + \" why=\\\"{}\\\"\", a);"))
        .containsExactly("why");
    assertThat(mistakes("log.warn(\"not read file={} reason={}\", a, b);")).isEmpty();
  }

  private List<String> mistakes(Path source) {
    return mistakes(sources.text(source)).stream()
        .map(mistake -> "%s: %s".formatted(sources.name(source), mistake))
        .toList();
  }

  private static List<String> mistakes(String code) {
    List<String> mistakes = new ArrayList<>();
    for (MatchResult call : CALL.matcher(code).results().toList()) {
      String message =
          LITERAL
              .matcher(call.group(1))
              .results()
              .map(literal -> literal.group(1))
              .collect(Collectors.joining());
      KEY.matcher(message)
          .results()
          .map(key -> key.group(1))
          .filter(key -> !CAMEL_CASE.matcher(key).matches() || OTHER_WORDS.contains(key))
          .forEach(mistakes::add);
      if (message.endsWith(": {}")) {
        mistakes.add(": {}");
      }
    }
    return mistakes;
  }
}
