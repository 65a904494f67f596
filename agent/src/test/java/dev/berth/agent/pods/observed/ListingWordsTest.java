package dev.berth.agent.pods.observed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.health.Health;
import dev.berth.api.Problem;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ListingWordsTest {
  private static final Instant THEN = Instant.EPOCH;
  private static final Health CONNECTING = new Health.Connecting(THEN);
  private static final Health READY = new Health.Ready(THEN);
  private static final Health NOT_READY =
      new Health.NotReady(
          THEN, new Problem("it is away", "it was stopped", "Start it"), false, false);

  private final ListingWords words = new ListingWords();

  @Test
  void aHealthyStartIsNoNews() {
    assertThat(words.after(CONNECTING, false)).isEmpty();
    assertThat(words.after(new Health.Draining(THEN, CONNECTING), false)).isEmpty();
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
