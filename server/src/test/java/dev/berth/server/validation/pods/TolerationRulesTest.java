package dev.berth.server.validation.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.pods.PodSamples;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TolerationRulesTest {
  private static final FieldPath PATH = FieldPath.of("t");

  private static List<String> texts(FieldErrors errors) {
    return errors.toList().stream().map(FieldError::toString).toList();
  }

  private static List<String> errors(String tolerations) {
    FieldErrors errors = new FieldErrors();
    TolerationRules.validate(PodSamples.yaml(tolerations), PATH, errors);
    return texts(errors);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "[{operator: Exists}]",
        "[{key: a, value: b, effect: NoSchedule}]",
        "[{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: -1}]"
      })
  void goodTolerationsPass(String tolerations) {
    assertThat(errors(tolerations)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{operator: Equal}] | t[0].operator: Invalid value: \"Equal\": operator must be Exists"
            + " when `key` is empty, which means \"match all values and all keys\"",
        "[{key: a, tolerationSeconds: 1}] | t[0].effect: Invalid value: \"\": effect must be"
            + " 'NoExecute' when `tolerationSeconds` is set",
        "[{key: a, operator: Exists, value: b}] | t[0].operator: Invalid value:"
            + " core.Toleration{Key:\"a\", Operator:\"Exists\", Value:\"b\", Effect:\"\","
            + " TolerationSeconds:(*int64)(nil)}: value must be empty when `operator` is 'Exists'",
        "[{key: a, operator: In}] | t[0].operator: Unsupported value: \"In\": supported values:"
            + " \"Equal\", \"Exists\"",
        "[{key: a, effect: Never}] | t[0].effect: Unsupported value: \"Never\": supported values:"
            + " \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\""
      })
  void brokenTolerationsAreExplained(String tolerations, String expected) {
    assertThat(errors(tolerations)).isEqualTo(Arrays.asList(expected.split(" # ")));
  }

  @Test
  void keysAndValuesAreThoseOfLabels() {
    assertThat(errors("[{key: 'a b', value: 'c d'}]"))
        .hasSize(2)
        .allMatch(error -> error.contains("must consist of") || error.contains("a valid label"));
  }

  @Test
  void equalOnesAreDuplicatesWhateverTheirTime() {
    FieldErrors errors = new FieldErrors();
    TolerationRules.validateUnique(
        PodSamples.yaml("[{key: a}, {key: a, tolerationSeconds: 5}]"), PATH, errors);
    assertThat(texts(errors))
        .containsExactly(
            "t[1]: Duplicate value: core.Toleration{Key:\"a\", Operator:\"\", Value:\"\","
                + " Effect:\"\", TolerationSeconds:&5}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{key: a, tolerationSeconds: 9, effect: NoExecute}, {key: b}] | ''",
        "[{key: a}] | t: Forbidden: existing toleration can not be modified except its"
            + " tolerationSeconds",
        "[] | t: Forbidden: existing toleration can not be modified except its tolerationSeconds"
      })
  void runningPodsMayOnlyGainTolerations(String tolerations, String expected) {
    FieldErrors errors = new FieldErrors();
    TolerationRules.onlyAdded(
        PodSamples.yaml(tolerations),
        PodSamples.yaml("[{key: a, effect: NoExecute}]"),
        PATH,
        errors);
    assertThat(String.join(" # ", texts(errors))).isEqualTo(expected);
  }
}
