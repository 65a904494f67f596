package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class CancellationTest {
  @Test
  void anInterruptedCallerCancelsTheCallAtTheService() throws Exception {
    var fake = new FakeRuntime();
    fake.hang = true;
    var failure = new AtomicReference<CriException>();
    var stillInterrupted = new AtomicBoolean();
    try (var services = new Services()) {
      RuntimeClient runtime = services.inProcess(fake).runtime();
      Thread caller =
          Thread.startVirtualThread(
              () -> {
                try {
                  runtime.version();
                } catch (CriException e) {
                  failure.set(e);
                  stillInterrupted.set(Thread.currentThread().isInterrupted());
                }
              });

      fake.hanging.await();
      caller.interrupt();
      caller.join();
      fake.cancelled.await();
    }

    assertThat(failure.get())
        .hasMessage("runtime service sim: Version: CANCELLED: Thread interrupted");
    assertThat(failure.get().isCancelled()).isTrue();
    assertThat(stillInterrupted).isTrue();
  }
}
