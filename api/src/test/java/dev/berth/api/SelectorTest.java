package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorTest {
  private static final Map<String, String> LABELS = Map.of("app", "web", "tier", "a", "size", "5");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "app=web|true",
        "app==web|true",
        "app!=web|false",
        "other!=x|true",
        "app|true",
        "!app|false",
        "!other|true",
        "tier in (a, b)|true",
        "tier notin (a,b)|false",
        "other notin (a)|true",
        "size>3|true",
        "size<3|false",
        "app=web,tier=a|true",
        "app=web,tier=b|false",
        "app=|false",
        "x.io/y=1|false",
        "other in ()|false"
      })
  void labelSelectorsJudgeLabels(String selector, boolean expected) throws Exception {
    assertThat(LabelSelector.parse(selector).matches(LABELS)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a===b|unable to parse requirement: found '=', expected: identifier",
        "a in b|unable to parse requirement: found 'b', expected: '('",
        "a,|unable to parse requirement: found '', expected: identifier after ','",
        "a b|unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"
      })
  void brokenLabelSelectorsSayWhereTheyBreak(String selector, String message) {
    assertThatThrownBy(() -> LabelSelector.parse(selector))
        .isInstanceOf(SelectorSyntaxException.class)
        .hasMessage(message);
  }

  @Test
  void fieldSelectorsAreConjunctions() throws Exception {
    FieldSelector selector = FieldSelector.parse("spec.nodeName=n1,status.phase!=Failed");
    assertThat(selector.matches(field -> field.equals("spec.nodeName") ? "n1" : "Running"))
        .isTrue();
    assertThat(selector.matches(field -> field.equals("spec.nodeName") ? "n1" : "Failed"))
        .isFalse();
    assertThatThrownBy(() -> FieldSelector.parse("x"))
        .hasMessage("invalid selector: 'x'; can't understand 'x'");
  }
}
