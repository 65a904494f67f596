package dev.berth.server.json;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlErrorsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a: b: c | mapping values are not allowed in this context",
        "x: 1;a: b: c | line 2: mapping values are not allowed in this context",
        "x: 1;a: - b | line 2: block sequence entries are not allowed in this context",
        "a: [1 | did not find expected ',' or ']'",
        "a: {b: 1;c;  ]| line 2: did not find expected ',' or '}'",
        "a: 1; b: 2;c: 3| line 2: mapping values are not allowed in this context",
        "x:; a: 1;  b: 2 | line 3: mapping values are not allowed in this context",
        "x:;  a: 1; b: 2 | line 2: did not find expected key",
        "- a;b: 1| line 1: did not find expected '-' indicator",
        "@x | found character that cannot start any token",
        "x: 1;b: %c | line 2: found character that cannot start any token",
        "a: *nope | unknown anchor 'nope' referenced",
        "a: \"\\q\" | found unknown escape character",
        "a: \"b | found unexpected end of stream",
        "x: 1;abc;y: 2 | line 3: could not find expected ':'",
        "a: b\u0001c | control characters are not allowed",
        "a: ] | did not find expected node content",
      })
  void mistakesAreToldWithTheirLine(String yaml, String words) {
    byte[] bytes = yaml.replace(';', '\n').getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> YamlTrees.parse(bytes)).hasMessage("yaml: " + words);
  }
}
