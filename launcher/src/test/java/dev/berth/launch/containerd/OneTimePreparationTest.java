package dev.berth.launch.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class OneTimePreparationTest {
  private final AtomicInteger times = new AtomicInteger();

  @Test
  void itIsDoneOnceAndAgainOnlyWhenItFailed() throws IOException {
    OneTimePreparation preparation =
        new OneTimePreparation(
            () -> {
              if (times.incrementAndGet() == 1) {
                throw new IOException("no room");
              }
            });

    assertThatThrownBy(preparation::ensure).hasMessage("no room");
    preparation.ensure();
    preparation.ensure();

    assertThat(times).hasValue(2);
  }
}
