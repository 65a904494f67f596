package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.CriEndpoint.UnixSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HangingServiceIT {
  private static final Duration SHORT = Duration.ofMillis(300);

  @TempDir private Path directory;
  private final Services services = new Services();

  @AfterEach
  void close() {
    services.close();
  }

  @Test
  void aServiceThatNeverAnswersCostsItsCallersTheirDeadline() {
    var fake = new FakeRuntime();
    fake.hang = true;
    var endpoint = new UnixSocket(directory.resolve("hang.sock"));
    services.serve(endpoint, fake);

    assertDeadline(services.connect("hang", endpoint, SHORT).runtime());
  }

  @Test
  void aServerThatAcceptsAndSaysNothingCostsItsCallersTheirDeadline() throws Exception {
    Path path = directory.resolve("mute.sock");
    try (var mute = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      mute.bind(UnixDomainSocketAddress.of(path));
      try (var connection = services.connect("mute", new UnixSocket(path), SHORT)) {
        assertDeadline(connection.runtime());
      }
    }
  }

  /// Far more calls hang than there are threads that move bytes.
  @Test
  void manyHangingCallsDoNotDelayAnotherService() throws Exception {
    var hanging = new FakeRuntime();
    hanging.hang = true;
    var hangingEndpoint = new UnixSocket(directory.resolve("hang.sock"));
    var wellEndpoint = new UnixSocket(directory.resolve("well.sock"));
    services.serve(hangingEndpoint, hanging);
    services.serve(wellEndpoint, new FakeRuntime());
    RuntimeClient stuck = services.connect("hang", hangingEndpoint).runtime();
    RuntimeClient well = services.connect("well", wellEndpoint, Duration.ofSeconds(10)).runtime();

    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        calls.add(callers.submit(stuck::version));
      }
      hanging.hanging.await();
      for (int i = 0; i < 200; i++) {
        assertThat(well.version().getRuntimeName()).isEqualTo("fake");
      }
      assertThat(calls).noneMatch(Future::isDone);
      calls.forEach(call -> call.cancel(true));
    }
  }

  private static void assertDeadline(RuntimeClient runtime) {
    assertThatThrownBy(runtime::version)
        .isInstanceOfSatisfying(
            CriException.class, e -> assertThat(e.isDeadlineExceeded()).isTrue());
  }
}
