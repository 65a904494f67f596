package dev.berth.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Requests to a backend of this process that answers whatever it is told.
final class BackendCallIT {
  private ServerSocket server;
  private final CompletableFuture<String> received = new CompletableFuture<>();

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void credentialsAndConnectionHeadersStayBehind() throws IOException {
    answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    HttpFields headers =
        HttpFields.build()
            .add(HttpHeader.AUTHORIZATION, "Bearer secret")
            .add("Impersonate-User", "root")
            .add(HttpHeader.ACCEPT, "text/plain")
            .asImmutable();

    try (BackendAnswer answer = call("GET", headers, false)) {
      assertThat(answer.text(100)).isEqualTo("ok");
    }
    assertThat(received.join())
        .startsWith("GET /x?y=1 HTTP/1.1\r\nHost: 127.0.0.1:")
        .contains("Accept: text/plain\r\n", "Connection: close\r\n")
        .doesNotContain("secret", "Impersonate");
  }

  @Test
  void bodiesInChunksAndUntilTheEndAreRead() throws IOException {
    answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n");
    try (BackendAnswer answer = call("GET", HttpFields.EMPTY, false)) {
      assertThat(answer.text(100)).isEqualTo("abcd");
    }
    answer("HTTP/1.0 404 Not Found\r\n\r\nno such pod");
    try (BackendAnswer answer = call("GET", HttpFields.EMPTY, false)) {
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.text(100)).isEqualTo("no such pod");
    }
  }

  @Test
  void announcementsOfAnAnswerAreNotTheAnswer() throws IOException {
    answer("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nX: y\r\n\r\nok");
    try (BackendAnswer answer = call("GET", HttpFields.EMPTY, false)) {
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.headers().get("X")).isEqualTo("y");
      assertThat(answer.text(100)).isEqualTo("ok");
    }
  }

  @Test
  void bodiesThatBreakOffAreAnError() throws IOException {
    answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok");
    try (BackendAnswer answer = call("GET", HttpFields.EMPTY, false)) {
      assertThatThrownBy(() -> answer.text(100)).hasMessage("the body broke off");
    }
  }

  @Test
  void anUpgradeIsAskedForInHttp11() throws IOException {
    answer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\n\r\nbytes");
    HttpFields headers = HttpFields.build().add(HttpHeader.UPGRADE, "SPDY/3.1").asImmutable();

    try (BackendAnswer answer = call("POST", headers, true)) {
      assertThat(answer.status()).isEqualTo(BackendAnswer.SWITCHED);
      assertThat(answer.fromBackend().readNBytes(5)).asString().isEqualTo("bytes");
    }
    assertThat(received.join())
        .startsWith("POST /x?y=1 HTTP/1.1\r\n")
        .contains("Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\nContent-Length: 0\r\n");
  }

  @Test
  void aBodyThatBreaksOffIsNotTakenForWhole() throws IOException {
    CompletableFuture<String> all = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> readToTheEnd(all));
    InputStream broken =
        new SequenceInputStream(
            new ByteArrayInputStream("abc".getBytes(StandardCharsets.US_ASCII)),
            new FilterInputStream(InputStream.nullInputStream()) {
              @Override
              public int read(byte[] bytes, int offset, int length) throws IOException {
                throw new IOException("the client is gone");
              }
            });
    assertThatThrownBy(
            () -> call("POST", HttpFields.EMPTY, new RequestBody(broken, -1), false).close())
        .isInstanceOf(IOException.class);
    assertThat(all.join()).endsWith("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
  }

  private void readToTheEnd(CompletableFuture<String> all) {
    try (Socket socket = server.accept()) {
      all.complete(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
    } catch (IOException e) {
      all.completeExceptionally(e);
    }
  }

  /// Its sender must not read on from a request that is over.
  @Test
  void aClosedAnswerEndsTheBody() throws Exception {
    answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    CompletableFuture<Void> ended = new CompletableFuture<>();
    InputStream endless =
        new FilterInputStream(InputStream.nullInputStream()) {
          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              ended.complete(null);
            }
            throw new InterruptedIOException();
          }
        };
    try (BackendAnswer answer =
        call("POST", HttpFields.EMPTY, new RequestBody(endless, 1 << 20), false)) {
      assertThat(answer.text(100)).isEqualTo("ok");
    }
    assertThat(ended).isCompleted();
  }

  @Test
  void whatIsNotHttpIsAnError() throws IOException {
    answer("SSH-2.0\r\n\r\n");
    assertThatThrownBy(() -> call("GET", HttpFields.EMPTY, false))
        .hasMessage("the backend does not answer in HTTP: SSH-2.0");
  }

  private BackendAnswer call(String method, HttpFields headers, boolean upgrade)
      throws IOException {
    return call(method, headers, RequestBody.NONE, upgrade);
  }

  private BackendAnswer call(String method, HttpFields headers, RequestBody body, boolean upgrade)
      throws IOException {
    return new BackendCall(method, "/x?y=1", headers, body, upgrade)
        .send(new RelayBackend("127.0.0.1", server.getLocalPort(), null));
  }

  private void answer(String text) {
    Thread.ofVirtual()
        .start(
            () -> {
              try (Socket socket = server.accept()) {
                StringBuilder head = new StringBuilder();
                while (!head.toString().endsWith("\r\n\r\n")) {
                  head.append((char) socket.getInputStream().read());
                }
                received.complete(head.toString());
                socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
              } catch (IOException e) {
                received.completeExceptionally(e);
              }
            });
  }
}
