package dev.berth.agent.timing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.fake.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class WakeTimerTest {
  private static final Instant START = Instant.EPOCH;

  private final ManualTime time = new ManualTime(START);
  private final AtomicInteger rung = new AtomicInteger();
  private final WakeTimer alarm = new WakeTimer(time, time, rung::incrementAndGet);

  @Test
  void aLaterTimeDoesNotPutOffAnEarlierOne() {
    alarm.set(START.plusSeconds(10));
    alarm.set(START.plusSeconds(600));

    time.advance(Duration.ofSeconds(10));

    assertThat(rung).hasValue(1);
  }

  @Test
  void anEarlierTimeComesFirstAndItCanBeSetAgain() {
    alarm.set(START.plusSeconds(600));
    alarm.set(START.plusSeconds(10));
    time.advance(Duration.ofSeconds(10));
    assertThat(rung).hasValue(1);

    alarm.set(START.plusSeconds(30));
    time.advance(Duration.ofSeconds(20));
    assertThat(rung).hasValue(2);
  }

  @Test
  void itRingsAgainAfterTheClockWasSetBack() {
    AtomicReference<Instant> clock = new AtomicReference<>(START.plusSeconds(1000));
    WakeTimer late = new WakeTimer(time, clock::get, rung::incrementAndGet);
    late.set(START.plusSeconds(1010));
    time.advance(Duration.ofSeconds(10));
    assertThat(rung).hasValue(1);

    clock.set(START);
    late.set(START.plusSeconds(1020));
    time.advance(Duration.ofMinutes(17));

    assertThat(rung).hasValue(2);
  }
}
