package dev.berth.launch.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JoinTokensTest {
  @ParameterizedTest
  @CsvSource({
    "https://127.0.0.1:6443, true",
    "https://127.0.1.1:6443, true",
    "https://[::1]:6443, true",
    "https://localhost:6443, true",
    "https://10.0.0.1:6443, false",
    "https://[fd00::1]:6443, false",
    "https://berth.example.com, false"
  })
  void aTokenKnowsWhetherOtherMachinesReachItsServer(URI server, boolean thisMachineOnly) {
    JoinToken token = new JoinToken("abcdef", "0123456789abcdef", "00");

    assertThat(new JoinTokens.Made(server, token).isForThisMachineOnly())
        .isEqualTo(thisMachineOnly);
  }
}
