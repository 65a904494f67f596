package dev.berth.bench.servers;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An HTTP/1.1 connection over TLS with minimal cost, so that the load does not measure its own
/// client. Bodies are read and dropped; used by one thread.
public final class TlsClient implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final String host;
  // A longer line fails with an index error; no server of the benchmark sends one.
  private final byte[] line = new byte[8192];
  private final byte[] scrap = new byte[64 << 10];

  private TlsClient(Socket socket, String host) throws IOException {
    this.socket = socket;
    this.host = host;
    // A TLS record has 16 KiB at most; the buffer takes several at once.
    in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
    out = new BufferedOutputStream(socket.getOutputStream(), 16 << 10);
  }

  public static TlsClient open(BenchCredentials credentials) throws IOException {
    String host = credentials.server().getHost();
    int port = credentials.server().getPort();
    Socket plain = new ReadsAhead();
    plain.connect(new InetSocketAddress(host, port));
    // A request is one small write; Nagle's algorithm would hold it back for the answer before it.
    plain.setTcpNoDelay(true);
    return new TlsClient(
        // The host name is also what the certificate is checked against only if a client asks for
        // it; the trust in the one authority is enough here.
        credentials.tls().getSocketFactory().createSocket(plain, host, port, true), host);
  }

  /// Reads ahead: TLS reads the head of each record and then its rest, and this class makes one
  /// system call for many records.
  private static final class ReadsAhead extends Socket {
    private @Nullable InputStream ahead;

    @Override
    public InputStream getInputStream() throws IOException {
      if (ahead == null) {
        ahead = new BufferedInputStream(super.getInputStream(), 256 << 10);
      }
      return ahead;
    }
  }

  public record Answer(int status, long bytes) {}

  public Answer get(String path) throws IOException {
    send("GET", path, new byte[0], "");
    return receive();
  }

  public Answer post(String path, byte[] json) throws IOException {
    send("POST", path, json, "application/json");
    return receive();
  }

  public Answer delete(String path) throws IOException {
    send("DELETE", path, new byte[0], "");
    return receive();
  }

  public void send(String method, String path, byte[] body, String contentType) throws IOException {
    String head =
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: "
            + host
            + "\r\nUser-Agent: bench/1\r\n"
            + (contentType.isEmpty() ? "" : "Content-Type: " + contentType + "\r\n")
            + (body.length == 0 ? "" : "Content-Length: " + body.length + "\r\n")
            + "\r\n";
    out.write(head.getBytes(StandardCharsets.US_ASCII));
    out.write(body);
    out.flush();
  }

  // Characters 9 to 12 of `HTTP/1.1 200 OK`.
  public Answer receive() throws IOException {
    int status = Integer.parseInt(readLine().substring(9, 12));
    long length = -1;
    boolean chunked = false;
    for (String header = readLine(); !header.isEmpty(); header = readLine()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Long.parseLong(lower.substring(15).strip());
      } else if (lower.startsWith("transfer-encoding:")) {
        chunked = lower.contains("chunked");
      }
    }
    return new Answer(status, chunked ? skipChunks() : skip(Math.max(0, length)));
  }

  /// Reads status and headers of an answer whose body is a stream.
  public void receiveHead() throws IOException {
    while (!readLine().isEmpty()) {}
  }

  /// Drops a body in chunks, each with its size in hexadecimal digits before it; the last one is
  /// empty.
  private long skipChunks() throws IOException {
    long total = 0;
    while (true) {
      long size = Long.parseLong(readLine(), 16);
      total += skip(size);
      readLine();
      if (size == 0) {
        return total;
      }
    }
  }

  private long skip(long length) throws IOException {
    long left = length;
    while (left > 0) {
      int n = in.read(scrap, 0, (int) Math.min(left, scrap.length));
      if (n < 0) {
        throw new IOException("the server closed the connection");
      }
      left -= n;
    }
    return length;
  }

  /// Reads a line of the head without its end. The buffer bounds its length.
  private String readLine() throws IOException {
    int used = 0;
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the server closed the connection");
      }
      if (c != '\r') {
        line[used++] = (byte) c;
      }
    }
    return new String(line, 0, used, StandardCharsets.US_ASCII);
  }

  /// Reads raw bytes and counts events by their line ends, for the watch fan-out.
  public int countLines() throws IOException {
    int n = in.read(scrap);
    if (n < 0) {
      throw new IOException("the server closed the connection");
    }
    int lines = 0;
    for (int i = 0; i < n; i++) {
      // JSON escapes line ends inside of texts, so that these two bytes only end an event.
      lines += scrap[i] == '}' && i + 1 < n && scrap[i + 1] == '\n' ? 1 : 0;
    }
    return lines;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
