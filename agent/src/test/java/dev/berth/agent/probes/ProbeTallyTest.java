package dev.berth.agent.probes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProbeTallyTest {
  private static final Probe PROBE =
      new ProbeBuilder().withSuccessThreshold(2).withFailureThreshold(3).build();

  /// `+` is a success, `-` a failure, `?` a probe that could not be made.
  @ParameterizedTest
  @CsvSource({
    "false, '',       false",
    "false, +,        false",
    "false, ++,       true",
    "false, +-+,      false",
    "false, +?+,      true",
    "true,  --,       true",
    "true,  ---,      false",
    "true,  --+--,    true",
    "true,  --+---,   false",
    "true,  ??????,   true",
    "true,  ---+,     false",
    "true,  ---++,    true",
  })
  void enoughInARowChangeTheMind(boolean first, String results, boolean expected) {
    ProbeTally tally = ProbeTally.startingWith(first);
    for (int i = 0; i < results.length(); i++) {
      tally =
          tally.after(
              switch (results.charAt(i)) {
                case '+' -> new ProbeResult.Success();
                case '-' -> new ProbeResult.Failure("");
                default -> new ProbeResult.Unknown("");
              },
              PROBE);
    }
    assertThat(tally.passes()).isEqualTo(expected);
  }
}
