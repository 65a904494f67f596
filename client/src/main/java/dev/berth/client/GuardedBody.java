package dev.berth.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A body that is closed when it is not read in time: a server that stalls within an answer would
/// otherwise block its reader forever.
///
/// The guard is a virtual thread, which costs little and ends with the body. Closing the body from
/// outside makes a blocked read fail, which is the only way to interrupt it.
final class GuardedBody extends FilterInputStream {
  private final CountDownLatch finished = new CountDownLatch(1);

  GuardedBody(InputStream body, Duration atMost) {
    super(body);
    Thread.ofVirtual().name("kubernetes-body").start(() -> guard(body, atMost));
  }

  private void guard(InputStream body, Duration atMost) {
    try {
      if (!finished.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
        body.close();
      }
    } catch (InterruptedException _) {
      // Nobody interrupts this thread.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    finished.countDown();
    super.close();
  }
}
