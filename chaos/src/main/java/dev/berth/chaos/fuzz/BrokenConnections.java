package dev.berth.chaos.fuzz;

import dev.berth.chaos.history.RunLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/// Opens connections that are not TLS, not HTTP, not HTTP/2, or that never read what they
/// requested. Used by one thread. The server may close such a connection or answer with 4xx; 500
/// and 502 mean that it failed.
final class BrokenConnections implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 3_000;

  /// Maximum number of connections that are open and never read.
  private static final int MOST_STALLED = 40;

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final List<String> HEADS =
      List.of(
          "GET /api HTTP/1.1\r\nHost: a\r\nX: %s\r\n\r\n",
          "POST /api HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n%s",
          "POST /api/v1/namespaces HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n%s",
          "GET %s HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET /api HTTP/1.1\nHost: a\n%s\n\n",
          "%s / HTTP/9.9\r\n\r\n");

  private final InetSocketAddress address;
  private final SSLContext tls;
  private final Random random;
  private final ByteMutation mutation;
  private final RunLog log;
  private final List<Socket> stalled = new ArrayList<>();

  BrokenConnections(InetSocketAddress address, SSLContext tls, Random random, RunLog log) {
    this.address = address;
    this.tls = tls;
    this.random = random;
    this.mutation = new ByteMutation(random);
    this.log = log;
  }

  void open() {
    try {
      switch (random.nextInt(5)) {
        case 0 -> withoutTls();
        case 1 -> exchange("http/1.1", mutation.noise(5_000));
        case 2 -> exchange("http/1.1", brokenHead());
        case 3 -> exchange("h2", frames());
        default -> stall();
      }
    } catch (IOException _) {
      // The server may close the connection at any time.
    }
    log.count("hostile connections");
  }

  private void withoutTls() throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(mutation.noise(3_000));
      read(socket);
    }
  }

  private void exchange(String protocol, byte[] bytes) throws IOException {
    try (SSLSocket socket = secure(protocol)) {
      OutputStream out = socket.getOutputStream();
      out.write(bytes);
      out.flush();
      judge(read(socket), bytes);
    }
  }

  private byte[] brokenHead() {
    String head = HEADS.get(random.nextInt(HEADS.size()));
    String filler = random.nextBoolean() ? mutation.token() : "x".repeat(random.nextInt(100_000));
    return head.formatted(filler).getBytes(StandardCharsets.ISO_8859_1);
  }

  /// The preface, and then frames of any type, flags and stream, some with wrong lengths.
  private byte[] frames() {
    ByteBuffer bytes = ByteBuffer.allocate(200_000).put(PREFACE);
    bytes.put(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
    int count = 1 + random.nextInt(60);
    for (int i = 0; i < count; i++) {
      byte[] payload = mutation.noise(random.nextInt(4) == 0 ? 2_000 : 40);
      int length = random.nextInt(5) == 0 ? random.nextInt(1 << 24) : payload.length;
      bytes.put((byte) (length >> 16)).put((byte) (length >> 8)).put((byte) length);
      bytes.put((byte) random.nextInt(12)).put((byte) random.nextInt(256));
      bytes.putInt(random.nextInt(9)).put(payload);
    }
    byte[] all = new byte[bytes.position()];
    bytes.flip().get(all);
    return all;
  }

  /// Opens a watch and never reads it.
  private void stall() throws IOException {
    if (stalled.size() >= MOST_STALLED) {
      return;
    }
    SSLSocket socket = secure("http/1.1");
    stalled.add(socket);
    OutputStream out = socket.getOutputStream();
    out.write(
        "GET /api/v1/configmaps?watch=1 HTTP/1.1\r\nHost: a\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.connect(address, TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  private SSLSocket secure(String protocol) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            tls.getSocketFactory()
                .createSocket(connect(), address.getHostString(), address.getPort(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    return socket;
  }

  private static String read(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    return new String(in.readNBytes(400), StandardCharsets.ISO_8859_1);
  }

  /// Reports an answer that shows a failure inside of the server.
  private void judge(String answer, byte[] sent) {
    if (answer.startsWith("HTTP/1.1 500") || answer.startsWith("HTTP/1.1 502")) {
      String text = new String(sent, StandardCharsets.ISO_8859_1);
      log.violation(
          "fuzzed requests",
          "%s was answered %s".formatted(text.substring(0, Math.min(300, text.length())), answer));
    }
  }

  @Override
  public void close() {
    for (Socket socket : stalled) {
      try {
        socket.close();
      } catch (IOException _) {
        // The socket is closed in any case.
      }
    }
  }
}
