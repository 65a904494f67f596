package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class GuardedBodyTest {
  @Test
  void answerThatStallsIsBrokenOff() throws IOException {
    PipedInputStream stalled = new PipedInputStream();
    try (PipedOutputStream _ = new PipedOutputStream(stalled);
        GuardedBody body = new GuardedBody(stalled, Duration.ofMillis(20))) {
      assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
    }
  }

  @Test
  void bodyThatWasReadInTimeIsClosedByItsReaderOnly() throws IOException {
    AtomicBoolean closed = new AtomicBoolean();
    ByteArrayInputStream inner =
        new ByteArrayInputStream(new byte[] {1, 2}) {
          @Override
          public void close() {
            closed.set(true);
          }
        };
    try (GuardedBody body = new GuardedBody(inner, Duration.ofDays(1))) {
      assertThat(body.readAllBytes()).containsExactly(1, 2);
      assertThat(closed).isFalse();
    }
    assertThat(closed).isTrue();
  }
}
