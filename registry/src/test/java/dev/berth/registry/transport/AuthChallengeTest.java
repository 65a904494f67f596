package dev.berth.registry.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AuthChallengeTest {
  @Test
  void anyOrderAndNumberIsRead() {
    assertThat(
            AuthChallenge.parseAll(
                List.of(
                    "Bearer service=\"a, b\", realm=\"https://x/t?q=\\\"1\\\"\" ,scope=pull, Basic"
                        + " realm=\"y\"",
                    "Negotiate")))
        .containsExactly(
            new AuthChallenge(
                "bearer",
                Map.of("service", "a, b", "realm", "https://x/t?q=\"1\"", "scope", "pull")),
            new AuthChallenge("basic", Map.of("realm", "y")),
            new AuthChallenge("negotiate", Map.of()));
    assertThat(AuthChallenge.parseAll(List.of("", "=\"", ",,,", "a=b"))).isEmpty();
  }
}
