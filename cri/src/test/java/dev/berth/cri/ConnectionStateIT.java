package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.CriEndpoint.UnixSocket;
import io.grpc.ConnectivityState;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConnectionStateIT {
  @TempDir private Path directory;
  private final Services services = new Services();
  private final BlockingQueue<ConnectivityState> seen = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    services.close();
  }

  @Test
  void lossAndReturnOfAServiceAreToldAtOnce() throws Exception {
    var endpoint = new UnixSocket(directory.resolve("s.sock"));
    CriServer server = services.serve(endpoint, new FakeRuntime());
    CriConnection connection = services.connect("s", endpoint);
    connection.onStateChange(seen::add);
    assertThat(connection.state()).isEqualTo(ConnectivityState.IDLE);

    connection.connect();
    awaitState(ConnectivityState.READY);
    server.stopNow();
    awaitState(ConnectivityState.IDLE);
    connection.connect();
    awaitState(ConnectivityState.TRANSIENT_FAILURE);
    services.serve(endpoint, new FakeRuntime());
    connection.connect();
    awaitState(ConnectivityState.READY);

    assertThat(connection.runtime().version().getVersion()).isNotEmpty();
  }

  @Test
  void closingIsToldToo() throws Exception {
    CriConnection connection =
        services.connect("closed", new UnixSocket(directory.resolve("none.sock")));
    connection.onStateChange(seen::add);

    connection.close();

    awaitState(ConnectivityState.SHUTDOWN);
  }

  private void awaitState(ConnectivityState state) throws InterruptedException {
    while (seen.take() != state) {
      // Others come first.
    }
  }
}
