package dev.berth.server.json;

import java.util.List;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.scanner.ScannerException;

/// Converts errors of the YAML parser to messages of Go's decoder with the line.
///
/// Only the errors that users make often have rules; others keep the text of the parser.
final class YamlErrors {
  private record Rule(Pattern ours, String go) {}

  private static final List<Rule> RULES =
      List.of(
          rule("(mapping (?:values|keys) are not allowed) here", "$1 in this context"),
          rule(
              "sequence entries are not allowed here",
              "block sequence entries are not allowed in this context"),
          rule("expected (',' or '[\\]}]'), but got .*", "did not find expected $1"),
          rule(
              "found character .* that cannot start any token.*",
              "found character that cannot start any token"),
          rule("expected the node content.*", "did not find expected node content"),
          rule(
              "expected '?<document start>'?, but found .*",
              "did not find expected <document start>"),
          rule("found unknown escape character .*", "found unknown escape character"),
          rule("found undefined alias (.*)", "unknown anchor '$1' referenced"));

  private static final String BLOCK_END = "expected <block end>, but found";

  private YamlErrors() {}

  static String of(YAMLException e) {
    if (e instanceof MarkedYAMLException marked && marked.getProblem() != null) {
      String problem = problem(marked);
      return problem.startsWith("unknown anchor") ? problem : line(marked) + problem;
    }
    return e instanceof ReaderException
        ? "control characters are not allowed"
        : firstLine(String.valueOf(e.getMessage()));
  }

  private static String problem(MarkedYAMLException e) {
    String problem = firstLine(e.getProblem());
    if (problem.startsWith(BLOCK_END)) {
      return String.valueOf(e.getContext()).contains("mapping")
          ? "did not find expected key"
          : "did not find expected '-' indicator";
    }
    for (Rule rule : RULES) {
      var match = rule.ours().matcher(problem);
      if (match.matches()) {
        return match.replaceAll(rule.go());
      }
    }
    return problem;
  }

  /// Go numbers lines from one for character errors and from zero for structural errors, and omits
  /// line zero.
  private static String line(MarkedYAMLException e) {
    int problem = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine();
    int context = e.getContextMark() == null ? 0 : e.getContextMark().getLine();
    int line = problem == 0 ? context : e instanceof ScannerException ? problem + 1 : problem;
    return line == 0 ? "" : "line " + line + ": ";
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  private static Rule rule(String ours, String go) {
    return new Rule(Pattern.compile(ours), go);
  }
}
