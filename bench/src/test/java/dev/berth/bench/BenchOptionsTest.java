package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BenchOptionsTest {
  private static final Map<String, String> STANDARD =
      Map.of("--objects", "1000,10000", "--seconds", "5", "--results", "out");

  private static BenchOptions parse(String... arguments) {
    return BenchOptions.parse(List.of(arguments), STANDARD);
  }

  @Test
  void whatIsNotGivenHasItsUsualValue() {
    BenchOptions options = parse("--objects", "7");

    assertThat(options.numbers("--objects")).containsExactly(7);
    assertThat(options.number("--seconds")).isEqualTo(5);
    assertThat(options.path("--results")).isEqualTo(Path.of("out"));
  }

  @Test
  void anUnknownOptionIsRefusedAndTheAcceptedOnesAreNamed() {
    assertThatThrownBy(() -> parse("--sizes", "1000"))
        .isInstanceOf(BenchOptions.Mistake.class)
        .hasMessage(
            "--sizes is not an option; the options are --objects 1000,10000, --results out, --seconds 5");
  }

  @Test
  void anOptionNeedsAValue() {
    assertThatThrownBy(() -> parse("--seconds")).hasMessage("--seconds needs a value, such as 5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"many", "0", "-1", "1_000", ""})
  void aNumberThatIsNoneIsRefused(String value) {
    assertThatThrownBy(() -> parse("--seconds", value).number("--seconds"))
        .isInstanceOf(BenchOptions.Mistake.class)
        .hasMessage(
            "--seconds %s: must be a whole number from 1 on, without separators".formatted(value));
    assertThatThrownBy(() -> parse("--objects", "1," + value).numbers("--objects"))
        .isInstanceOf(BenchOptions.Mistake.class);
  }

  @Test
  void aCountMayBeZero() {
    assertThat(parse("--seconds", "0").count("--seconds")).isZero();
  }
}
