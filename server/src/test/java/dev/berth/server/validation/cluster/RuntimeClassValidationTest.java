package dev.berth.server.validation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.kinds.Trial;
import dev.berth.server.kinds.catalog.KindOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuntimeClassValidationTest {
  private static final String GOOD =
      """
      apiVersion: node.k8s.io/v1
      kind: RuntimeClass
      metadata: {name: foo}
      handler: bar-baz
      """;
  private static final String LABEL =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must"
          + " start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used"
          + " for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
  private static final String NAME_PART =
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end"
          + " with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used"
          + " for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

  private final Trial trial = new Trial();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "valid handler             | {}                                                       | 0",
        "invalid name              | {metadata: {name: '&!@#'}}                               | 1",
        "invalid handler           | {handler: '&@#$'}                                        | 1",
        "no handler                | {handler: null}                                          | 1",
        "valid overhead            | {overhead: {podFixed: {cpu: '10', memory: 10G}}}         | 0",
        "unknown resource          | {overhead: {podFixed: {my.org: 10m}}}                    | 2",
        "negative overhead         | {overhead: {podFixed: {cpu: '-1'}}}                      | 1",
        "empty scheduling          | {scheduling: {}}                                         | 0",
        "valid selector            | {scheduling: {nodeSelector: {valid: 'yes'}}}             | 0",
        "invalid selector          | {scheduling: {nodeSelector: {'not a key!!!': nope}}}     | 1",
        "valid toleration          | {scheduling: {tolerations: [{key: a, operator: Exists}]}}| 0",
        "invalid toleration        | {scheduling: {tolerations: [{key: 'not valid!!!', operator: Exists}]}} | 1",
        "both invalid              | {scheduling: {nodeSelector: {'not a key!!!': nope}, tolerations: [{key: 'not valid!!!', operator: Exists}]}} | 2"
      })
  void asManyErrorsAsUpstream(String name, String patch, int errors) {
    assertThat(trial.errorsOnCreate(GOOD, patch)).as(name).hasSize(errors);
  }

  @Test
  void handlersAreLabels() {
    assertThat(trial.errorsOnCreate(GOOD, "{handler: ''}"))
        .containsExactly("handler: Invalid value: \"\": " + LABEL);
    assertThat(trial.errorsOnCreate(GOOD, "{handler: " + "a".repeat(64) + "}"))
        .containsExactly(
            "handler: Invalid value: \""
                + "a".repeat(64)
                + "\": must be no more than 63 characters");
  }

  @Test
  void overheadIsCheckedAsLimitsAre() {
    assertThat(trial.errorsOnCreate(GOOD, "{overhead: {podFixed: {my.org: 10m, cpu: -1}}}"))
        .containsExactly(
            "overhead.limits[my.org]: Invalid value: \"my.org\": must be a standard resource type or"
                + " fully qualified",
            "overhead.limits[my.org]: Invalid value: \"my.org\": must be a standard resource for"
                + " containers",
            "overhead.limits[cpu]: Invalid value: \"-1\": must be greater than or equal to 0");
  }

  @Test
  void allErrorsOfSchedulingAreReportedAtOnce() {
    assertThat(
            trial.errorsOnCreate(
                GOOD,
                """
                scheduling:
                  nodeSelector: {"not a valid key!!!": nope}
                  tolerations:
                  - {key: "not a valid toleration key!!!", operator: Exists}
                  - {operator: Equal}
                  - {key: a, operator: Exists, effect: NoSchedule, tolerationSeconds: 5}
                  - {key: a, operator: Exists, effect: NoSchedule}
                """))
        .containsExactly(
            "scheduling.nodeSelector: Invalid value: \"not a valid key!!!\": " + NAME_PART,
            "scheduling.tolerations.tolerations[0].key: Invalid value: \"not a valid toleration"
                + " key!!!\": "
                + NAME_PART,
            "scheduling.tolerations.tolerations[1].operator: Invalid value: \"Equal\": operator must"
                + " be Exists when `key` is empty, which means \"match all values and all keys\"",
            "scheduling.tolerations.tolerations[2].effect: Invalid value: \"NoSchedule\": effect must"
                + " be 'NoExecute' when `tolerationSeconds` is set",
            "scheduling.tolerations[3]: Duplicate value: core.Toleration{Key:\"a\","
                + " Operator:\"Exists\", Value:\"\", Effect:\"NoSchedule\","
                + " TolerationSeconds:(*int64)(nil)}");
  }

  @Test
  void theDefaultClassMayChangeEverythingButItsName() {
    assertThat(
            trial.errorsOnUpdate(
                GOOD,
                "{handler: other, overhead: {podFixed: {cpu: 1}}, metadata: {labels: {a: b}}}"))
        .isEmpty();
    assertThat(trial.errorsOnUpdate(GOOD, "{handler: Other}"))
        .containsExactly("handler: Invalid value: \"Other\": " + LABEL);
  }

  @Test
  void upstreamsUpdateRulesAreASwitch() {
    Trial upstream = new Trial(new KindOptions(true));
    assertThat(upstream.errorsOnUpdate(GOOD, "{metadata: {labels: {foo: bar}}}")).isEmpty();
    assertThat(upstream.errorsOnUpdate(GOOD, "{handler: somethingelse}"))
        .containsExactly("handler: Invalid value: \"somethingelse\": field is immutable");
    assertThat(upstream.errorsOnUpdate(GOOD, "{metadata: {namespace: somethingelse}}"))
        .isNotEmpty();
  }

  @Test
  void deprecatedNodeLabelsAreAdvisedAgainst() {
    List<String> warnings = new ArrayList<>();
    new RuntimeClassValidation(false)
        .warn(
            trial.created(
                GOOD
                    + "scheduling: {nodeSelector: {beta.kubernetes.io/os: linux,"
                    + " kubernetes.io/arch: amd64}}"),
            warnings::add);
    assertThat(warnings)
        .containsExactly(
            "scheduling.nodeSelector: deprecated since v1.14; use \"kubernetes.io/os\" instead");
  }
}
