package dev.berth.server.hostile;

import dev.berth.server.TestServer;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/// HTTP/2 frame by frame (RFC 9113), with none of a client's good manners.
final class Http2Connection implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  static final int CANCEL = 8;
  private static final int INITIAL_WINDOW_SIZE = 4;

  private final RawConnection connection;
  private final DataOutputStream out;
  private final AtomicLongArray received = new AtomicLongArray(256);
  private final AtomicLong dataBytes = new AtomicLong();
  private final Thread reader;

  /// Guarded by itself: the reading thread appends.
  private final StringBuilder data = new StringBuilder();

  private volatile String goAway = "";

  /// @param window what the server may send on each stream before it must be told to go on
  Http2Connection(TestServer server, int window) throws IOException {
    connection = RawConnection.tls(server, server.adminTls(), "h2");
    out = new DataOutputStream(new BufferedOutputStream(connection.out()));
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    ByteBuffer settings = ByteBuffer.allocate(6);
    settings.putShort((short) INITIAL_WINDOW_SIZE).putInt(window);
    frame(SETTINGS, 0, 0, settings.array());
    out.flush();
    // Not behind the server's threads: the end of the connection must not overtake its last frame.
    reader = Thread.ofPlatform().daemon().name("h2-reader").start(this::read);
  }

  void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    out.writeByte(payload.length >> 16);
    out.writeShort(payload.length);
    out.writeByte(type);
    out.writeByte(flags);
    out.writeInt(stream);
    out.write(payload);
  }

  /// A GET without a body.
  void get(int stream, String path) throws IOException {
    frame(HEADERS, END_STREAM | END_HEADERS, stream, head(path));
    out.flush();
  }

  /// A GET that is taken back at once; leaves when the buffer is full.
  void getAndReset(int stream, String path) throws IOException {
    frame(HEADERS, END_STREAM | END_HEADERS, stream, head(path));
    frame(RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(CANCEL).array());
  }

  void flush() throws IOException {
    out.flush();
  }

  /// A GET with one more header.
  void get(int stream, String path, String header, String value) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(head(path));
    literal(block, header, value);
    frame(HEADERS, END_STREAM | END_HEADERS, stream, block.toByteArray());
    out.flush();
  }

  /// Literals without indexing or Huffman code (RFC 7541 6.2.2).
  static byte[] head(String path) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    literal(block, ":method", "GET");
    literal(block, ":scheme", "https");
    literal(block, ":authority", "localhost");
    literal(block, ":path", path);
    return block.toByteArray();
  }

  private static void literal(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : new String[] {name, value}) {
      if (text.length() > 126) {
        throw new IllegalArgumentException("longer than one byte can tell: " + text);
      }
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private void read() {
    try {
      DataInputStream in = new DataInputStream(connection.in());
      while (true) {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        in.skipNBytes(5);
        byte[] payload = in.readNBytes(length);
        if (type == GOAWAY) {
          goAway = new String(payload, 8, payload.length - 8, StandardCharsets.UTF_8);
        }
        received.incrementAndGet(type);
        if (type == DATA) {
          dataBytes.addAndGet(length);
          synchronized (data) {
            data.append(new String(payload, StandardCharsets.UTF_8));
          }
        }
      }
    } catch (IOException _) {
      // The server closed the connection, or the test did.
    }
  }

  /// How many frames of a type have come.
  long received(int type) {
    return received.get(type);
  }

  long dataBytes() {
    return dataBytes.get();
  }

  /// What has come in DATA frames, of all streams.
  String data() {
    synchronized (data) {
      return data.toString();
    }
  }

  /// Why the server gave up on the connection.
  String goAway() {
    return goAway;
  }

  boolean isOpen() {
    return reader.isAlive();
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
