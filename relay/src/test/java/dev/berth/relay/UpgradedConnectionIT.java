package dev.berth.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process that ends while somebody still talks to it is heard to its last word; one that does
/// not listen keeps nobody.
final class UpgradedConnectionIT {
  private static final String SWITCHES = "HTTP/1.1 101 Switching\r\nUpgrade: words\r\n\r\n";

  private final CountDownLatch relayed = new CountDownLatch(1);
  private volatile Socket backend = new DeafBackend();
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);

  /// It listens to nobody any more, which the relay finds out first, and still has something to
  /// say.
  private static final class DeafBackend extends Socket {
    private final CountDownLatch refused = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public OutputStream getOutputStream() {
      return new OutputStream() {
        @Override
        public void write(int one) throws IOException {
          refused.countDown();
          throw new SocketException("Broken pipe");
        }
      };
    }

    @Override
    public InputStream getInputStream() {
      return new SequenceInputStream(
          new ByteArrayInputStream(SWITCHES.getBytes(StandardCharsets.UTF_8)), new LastWords(this));
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  private static final class LastWords extends FilterInputStream {
    private final DeafBackend backend;

    LastWords(DeafBackend backend) {
      super(new ByteArrayInputStream("last words".getBytes(StandardCharsets.UTF_8)));
      this.backend = backend;
    }

    /// Whoever closes the backend because it does not listen has the time to do so.
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        backend.refused.await();
        if (backend.closed.await(200, TimeUnit.MILLISECONDS)) {
          throw new SocketException("Socket closed");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return super.read(bytes, offset, length);
    }
  }

  /// It takes no more bytes, and says nothing; and as one with TLS, it is not closed in order while
  /// there is something to send.
  private static final class StuckBackend extends Socket {
    private final CountDownLatch stuck = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public OutputStream getOutputStream() {
      return new OutputStream() {
        @Override
        public void write(int one) throws IOException {
          stuck.countDown();
          awaitClose();
        }
      };
    }

    @Override
    public InputStream getInputStream() {
      InputStream nothing =
          new InputStream() {
            @Override
            public int read() throws IOException {
              return awaitClose();
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
              return awaitClose();
            }
          };
      return new SequenceInputStream(
          new ByteArrayInputStream(SWITCHES.getBytes(StandardCharsets.UTF_8)), nothing);
    }

    @Override
    public void setSoLinger(boolean on, int seconds) {
      closed.countDown();
    }

    private int awaitClose() throws IOException {
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new SocketException("Socket closed");
    }

    @Override
    public void close() throws IOException {
      if (closed.getCount() > 0) {
        awaitClose();
      }
    }
  }

  private final class Relaying extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws IOException {
      BackendAnswer answer = BackendAnswer.read(backend, backend.getInputStream(), null);
      UpgradedConnection connection =
          UpgradedConnection.prepare(request, response, answer.headers());
      Thread.ofVirtual()
          .start(
              () -> {
                callback.succeeded();
                try {
                  connection.relay(answer);
                } catch (IOException | InterruptedException e) {
                  throw new IllegalStateException(e);
                } finally {
                  relayed.countDown();
                }
              });
      return true;
    }
  }

  @BeforeEach
  void start() throws Exception {
    connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
    server.addConnector(connector);
    server.setHandler(new Relaying());
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  @ParameterizedTest(name = "without a word: {0}")
  @ValueSource(booleans = {true, false})
  void whoIsGoneIsNotWaitedForByAProcessThatNeverReads(boolean aborts) throws Exception {
    StuckBackend deaf = new StuckBackend();
    backend = deaf;
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
      upgrade(client);
      client.getOutputStream().write("are you there?".getBytes(StandardCharsets.UTF_8));
      deaf.stuck.await();
      client.setSoLinger(aborts, 0);
    }

    assertThat(relayed.await(1, TimeUnit.MINUTES)).isTrue();
  }

  private static String upgrade(Socket client) throws IOException {
    client
        .getOutputStream()
        .write(
            "GET / HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: words\r\n\r\n"
                .getBytes(StandardCharsets.UTF_8));
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) client.getInputStream().read());
    }
    return head.toString();
  }

  @Test
  void theLastWordsReachWhoStillTalks() throws IOException {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
      String head = upgrade(client);
      InputStream in = client.getInputStream();
      client.getOutputStream().write("are you there?".getBytes(StandardCharsets.UTF_8));

      assertThat(head).startsWith("HTTP/1.1 101 ");
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("last words");
    }
  }

  /// What it says at the end is more than the connection of a slow client holds.
  private static final class LongSpeech extends Socket {
    private final byte[] words = new byte[3 << 20];

    @Override
    public InputStream getInputStream() {
      return new SequenceInputStream(
          new ByteArrayInputStream(SWITCHES.getBytes(StandardCharsets.UTF_8)),
          new ByteArrayInputStream(words));
    }

    @Override
    public OutputStream getOutputStream() {
      return OutputStream.nullOutputStream();
    }
  }

  @Test
  void whoReadsSlowlyAndTalksMeanwhileGetsEverything() throws Exception {
    LongSpeech speech = new LongSpeech();
    backend = speech;
    try (Socket client = new Socket()) {
      client.setReceiveBufferSize(16 << 10);
      client.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), connector.getLocalPort()));
      upgrade(client);

      assertThat(relayed.await(2, TimeUnit.SECONDS)).as("it is waited for").isFalse();
      client.getOutputStream().write("go on".getBytes(StandardCharsets.UTF_8));
      assertThat(client.getInputStream().readAllBytes()).hasSize(speech.words.length);
    }
    assertThat(relayed.await(1, TimeUnit.MINUTES)).isTrue();
  }
}
