package dev.berth.server.hostile;

import dev.berth.server.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/// A connection whose bytes and pauses the test decides.
final class RawConnection implements AutoCloseable {
  private static final int TINY = 2048;

  private final Socket socket;

  private RawConnection(Socket socket) {
    this.socket = socket;
  }

  /// TCP only.
  static RawConnection tcp(TestServer server) throws IOException {
    return tcp(server, "127.0.0.1");
  }

  /// @param source an address of the loopback interface, 127.0.0.0/8
  static RawConnection tcp(TestServer server, String source) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(source, 0));
    // The kernel takes little for a client that does not read.
    socket.setReceiveBufferSize(TINY);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    return new RawConnection(socket);
  }

  /// TLS as the administrator, HTTP/1.1.
  static RawConnection tls(TestServer server) throws IOException {
    return tls(server, server.adminTls(), "http/1.1");
  }

  static RawConnection tls(TestServer server, SSLContext context, String protocol)
      throws IOException {
    return tls(server, context, protocol, "127.0.0.1");
  }

  static RawConnection tls(TestServer server, SSLContext context, String protocol, String source)
      throws IOException {
    Socket plain = tcp(server, source).socket;
    SSLSocket socket =
        (SSLSocket)
            context.getSocketFactory().createSocket(plain, "localhost", server.port(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return new RawConnection(socket);
  }

  /// TLS that stops within its handshake.
  ///
  /// @param parts how much of the client's first message is sent, in hundredths
  static RawConnection halfOpen(TestServer server, int parts, String source) throws IOException {
    SSLEngine engine = server.trustingTls().createSSLEngine("localhost", server.port());
    engine.setUseClientMode(true);
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    RawConnection connection = tcp(server, source);
    connection.out().write(hello.array(), 0, hello.position() * parts / 100);
    return connection;
  }

  OutputStream out() throws IOException {
    return socket.getOutputStream();
  }

  InputStream in() throws IOException {
    return socket.getInputStream();
  }

  void send(String text) throws IOException {
    out().write(text.getBytes(StandardCharsets.ISO_8859_1));
    out().flush();
  }

  /// Everything up to the end of the connection.
  String readAll() throws IOException {
    socket.setSoTimeout((int) Duration.ofMinutes(2).toMillis());
    try {
      return new String(in().readAllBytes(), StandardCharsets.UTF_8);
    } catch (SocketException e) {
      return "(" + e.getMessage() + ")";
    }
  }

  /// Up to and with some text.
  String readUntil(String end) throws IOException {
    socket.setSoTimeout((int) Duration.ofMinutes(2).toMillis());
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      int next = in().read();
      if (next < 0) {
        throw new IOException("the connection ended after " + text);
      }
      text.append((char) next);
    }
    return text.toString();
  }

  /// Sends a byte now and then until the server hangs up.
  ///
  /// @return how long that took
  Duration trickle(String bytes, Duration pause) throws IOException {
    long start = System.nanoTime();
    socket.setSoTimeout((int) pause.toMillis());
    for (int i = 0; ; i++) {
      try {
        send(bytes.substring(i % bytes.length(), i % bytes.length() + 1));
        if (in().read() < 0) {
          break;
        }
      } catch (SocketTimeoutException _) {
        // Nothing came, as it should be; this was the pause.
      } catch (SocketException _) {
        break;
      }
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /// Reads a little now and then until the server hangs up.
  void sip(Duration pause) throws IOException {
    byte[] little = new byte[512];
    socket.setSoTimeout((int) Duration.ofMinutes(2).toMillis());
    try {
      while (in().read(little) >= 0) {
        LockSupport.parkNanos(pause.toNanos());
      }
    } catch (SocketException | SSLException _) {
      // The end came in the middle.
    }
  }

  /// Waits for the server to hang up, sending nothing.
  ///
  /// @return how long that took
  Duration awaitEnd() throws IOException {
    long start = System.nanoTime();
    readAll();
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @Override
  public void close() throws IOException {
    // Not through TLS, which would wait for the other side.
    socket.close();
  }
}
