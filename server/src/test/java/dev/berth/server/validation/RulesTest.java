package dev.berth.server.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.kinds.Trial;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs the table `rules.txt`, which says how to read it.
class RulesTest {
  private static final Trial TRIAL = new Trial();

  record Case(String kind, String good, String operation, String patch, List<String> errors) {
    @Override
    public String toString() {
      return kind + ": " + operation + " " + patch;
    }
  }

  static List<Case> table() {
    List<Case> cases = new ArrayList<>();
    String kind = "";
    StringBuilder good = new StringBuilder();
    for (String line : Trial.resource("/dev/berth/server/validation/rules.txt").split("\n", -1)) {
      if (line.startsWith("= ")) {
        kind = line.substring(2);
        good = new StringBuilder();
      } else if (line.startsWith("> ")) {
        int space = line.indexOf(' ', 2);
        cases.add(
            new Case(
                kind,
                good.toString(),
                line.substring(2, space),
                line.substring(space + 1),
                new ArrayList<>()));
      } else if (!line.isBlank() && !line.startsWith("#")) {
        if (cases.isEmpty() || !cases.getLast().kind().equals(kind)) {
          good.append(line).append('\n');
        } else {
          cases.getLast().errors().add(line);
        }
      }
    }
    return cases;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("table")
  void everyBrokenRuleIsReportedInTheWordsOfUpstream(Case rule) {
    List<String> errors =
        switch (rule.operation()) {
          case "create" -> TRIAL.errorsOnCreate(rule.good(), rule.patch());
          case "update" -> TRIAL.errorsOnUpdate(rule.good(), rule.patch());
          case "status" -> TRIAL.errorsOnStatusUpdate(rule.good(), rule.patch());
          default -> throw new AssertionError(rule.operation());
        };
    assertThat(errors).containsExactlyElementsOf(rule.errors());
  }
}
