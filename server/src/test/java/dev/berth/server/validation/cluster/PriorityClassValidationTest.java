package dev.berth.server.validation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriorityClassValidationTest {
  private final PriorityClassValidation rules = new PriorityClassValidation();
  private final FieldErrors errors = new FieldErrors();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          high | 'value':1000000000 | ``
          high | 'value':-5,'preemptionPolicy':'Never' | ``
          high | 'value':1000000001 | value: Forbidden: maximum allowed value of a user defined priority is 1000000000
          high | 'value':1,'preemptionPolicy':'Maybe' | preemptionPolicy: Unsupported value: "Maybe": supported values: "PreemptLowerPriority", "Never"
          system-node-critical | 'value':2000001000 | ``
          system-mine | 'value':1 | metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class
          system-node-critical | 'value':1 | metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-node-critical PriorityClass must be 2000001000
          system-node-critical | 'value':2000001000,'globalDefault':true | metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: globalDefault of system-node-critical PriorityClass must be false
          """)
  void classIsChecked(String name, String fields, String expected) {
    rules.onCreate(json("{'metadata':{'name':'%s'},%s}".formatted(name, fields)), errors);
    assertThat(errors.toList().stream().map(FieldError::toString))
        .containsExactlyElementsOf(expected.isEmpty() ? List.of() : List.of(expected));
  }

  @Test
  void neitherValueNorPolicyChanges() {
    rules.onUpdate(
        json("{'value':2,'preemptionPolicy':'Never'}"),
        json("{'value':1,'preemptionPolicy':'PreemptLowerPriority'}"),
        errors);
    assertThat(errors.toList().stream().map(FieldError::toString))
        .containsExactly(
            "value: Forbidden: may not be changed in an update.",
            "preemptionPolicy: Invalid value: \"Never\": field is immutable");
  }

  private static ObjectNode json(String text) {
    return (ObjectNode)
        JsonTrees.parseTrusted(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
