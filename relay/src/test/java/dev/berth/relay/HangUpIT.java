package dev.berth.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A long answer with nothing to say goes on; one that nobody listens to ends.
final class HangUpIT {
  private static final long IDLE_MILLIS = 500;

  private final CountDownLatch goOn = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);

  /// Says `one`, and `two` when it may.
  private final class Follower extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      Thread.ofVirtual().start(() -> follow(request, response, callback));
      return true;
    }

    private void follow(Request request, Response response, Callback callback) {
      try (HangUp _ = HangUp.listen(request, response);
          var out = Content.Sink.asOutputStream(response)) {
        out.write("one\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
        goOn.await();
        out.write("two\n".getBytes(StandardCharsets.UTF_8));
      } catch (InterruptedException e) {
        interrupted.countDown();
        callback.failed(e);
        return;
      } catch (IOException e) {
        callback.failed(e);
        return;
      }
      callback.succeeded();
    }
  }

  @BeforeEach
  void start() throws Exception {
    connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addConnector(connector);
    server.setHandler(new Follower());
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  @Test
  void aSilentAnswerOutlivesTheIdleTimeOfItsConnection() throws Exception {
    try (Socket client = connect()) {
      InputStream in = client.getInputStream();
      readUntil(in, "one\n");

      assertThat(interrupted.await(3 * IDLE_MILLIS, TimeUnit.MILLISECONDS)).isFalse();

      goOn.countDown();
      readUntil(in, "two\n");
    }
  }

  @Test
  void aClientThatLeftDuringTheSilenceIsNoticed() throws Exception {
    try (Socket client = connect()) {
      readUntil(client.getInputStream(), "one\n");
    }

    assertThat(interrupted.await(120, TimeUnit.SECONDS)).isTrue();
  }

  private Socket connect() throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
    client
        .getOutputStream()
        .write("GET / HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    return client;
  }

  private static void readUntil(InputStream in, String text) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf(text) < 0) {
      int next = in.read();
      assertThat(next).as("the answer ends after %s", read).isNotNegative();
      read.append((char) next);
    }
  }
}
