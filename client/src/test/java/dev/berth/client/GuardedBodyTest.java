package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class GuardedBodyTest {
  @Test
  void answerThatStallsIsBrokenOff() throws IOException {
    CountDownLatch closed = new CountDownLatch(1);
    InputStream stalled =
        new InputStream() {
          @Override
          public int read() throws IOException {
            return read(new byte[1], 0, 1);
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            try {
              closed.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            throw new IOException("closed");
          }

          @Override
          public void close() {
            closed.countDown();
          }
        };
    try (GuardedBody body = new GuardedBody(stalled, Duration.ofMillis(20))) {
      assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class).hasMessage("closed");
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
