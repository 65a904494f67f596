package dev.berth.agent.pods.observed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.api.Problem;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ListingLogTest {
  private static final Instant THEN = Instant.EPOCH;
  private static final ServiceHealth CONNECTING = new ServiceHealth.Connecting(THEN);
  private static final ServiceHealth READY = new ServiceHealth.Ready(THEN);
  private static final ServiceHealth NOT_READY =
      new ServiceHealth.NotReady(
          THEN, new Problem("it is away", "it was stopped", "Start it"), false, false);

  private final ListingLog words = new ListingLog();

  @Test
  void aHealthyStartIsNoNews() {
    assertThat(words.after(CONNECTING, false)).isEmpty();
    assertThat(words.after(new ServiceHealth.Draining(THEN, CONNECTING), false)).isEmpty();
    assertThat(words.after(READY, true)).isEmpty();
  }

  @Test
  void aServiceThatFailsFromTheStartIsTold() {
    assertThat(words.after(CONNECTING, false)).isEmpty();
    assertThat(words.after(NOT_READY, false)).contains("cannot be listed");
    assertThat(words.after(NOT_READY, false)).isEmpty();
    assertThat(words.after(READY, true)).contains("listed again");
  }

  @Test
  void aListThatFailsThoughTheServiceSeemsWellIsTold() {
    assertThat(words.after(READY, false)).contains("cannot be listed");
    assertThat(words.after(READY, false)).isEmpty();
    assertThat(words.after(READY, true)).contains("listed again");
  }
}
