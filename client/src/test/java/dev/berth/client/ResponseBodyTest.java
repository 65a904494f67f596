package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class ResponseBodyTest {
  private final AtomicBoolean cancelled = new AtomicBoolean();
  private final ResponseBody body =
      new ResponseBody(
          new ByteArrayInputStream(new byte[] {1, 2}) {
            @Override
            public void close() {
              cancelled.set(true);
            }
          });

  @Test
  void bodyThatWasReadToItsEndIsNotCancelled() throws IOException {
    assertThat(body.readAllBytes()).containsExactly(1, 2);
    body.close();
    assertThat(cancelled).isFalse();
  }

  @Test
  void bodyThatWasReadByteByByteIsNotCancelled() throws IOException {
    assertThat(new int[] {body.read(), body.read(), body.read()}).containsExactly(1, 2, -1);
    body.close();
    assertThat(cancelled).isFalse();
  }

  @Test
  void bodyThatIsLeftBeforeItsEndIsCancelled() throws IOException {
    assertThat(body.read()).isEqualTo(1);
    body.close();
    assertThat(cancelled).isTrue();
  }
}
