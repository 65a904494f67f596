package dev.berth.sim.http;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The server's end of a WebSocket (RFC 6455) with one of the given subprotocols.
public final class WebSocket {
  private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int LARGEST_MESSAGE = 4 * 1024 * 1024;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;
  private static final int FINAL = 0x80;
  private static final int MASKED = 0x80;
  private static final int NORMAL = 1000;

  private final DataInputStream in;
  private final OutputStream out;
  private final String protocol;
  private final ReentrantLock writing = new ReentrantLock();

  private WebSocket(DataInputStream in, OutputStream out, String protocol) {
    this.in = in;
    this.out = out;
    this.protocol = protocol;
  }

  /// Whether the client wants one.
  public static boolean isWanted(HttpExchange exchange) {
    return exchange.header("Upgrade").equalsIgnoreCase("websocket")
        && !exchange.header("Sec-WebSocket-Key").isEmpty();
  }

  /// Answers the handshake; the first protocol of ours that the client offers is spoken. Empty when
  /// there is none, which the client is told.
  public static Optional<WebSocket> accept(HttpExchange exchange, List<String> protocols)
      throws IOException {
    List<String> offered =
        Arrays.stream(exchange.header("Sec-WebSocket-Protocol").split(",", -1))
            .map(String::strip)
            .toList();
    Optional<String> protocol = protocols.stream().filter(offered::contains).findFirst();
    if (protocol.isEmpty()) {
      exchange.answer(
          400, "text/plain", "none of the protocols is spoken here: " + protocols + "\n");
      return Optional.empty();
    }
    String answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: %s\r\n\r\n"
                .formatted(signature(exchange.header("Sec-WebSocket-Key")), protocol.get());
    exchange.out().write(answer.getBytes(StandardCharsets.US_ASCII));
    exchange.out().flush();
    return Optional.of(
        new WebSocket(new DataInputStream(exchange.in()), exchange.out(), protocol.get()));
  }

  public String protocol() {
    return protocol;
  }

  /// The next message; null when the client has gone.
  public byte @Nullable [] read() {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    try {
      while (true) {
        int first = in.readUnsignedByte();
        byte[] payload = payload();
        switch (first & 0x0f) {
          case CLOSE -> {
            return null;
          }
          case PING -> write(PONG, payload);
          case PONG -> {}
          default -> {
            message.writeBytes(payload);
            if (message.size() > LARGEST_MESSAGE) {
              return null;
            }
            if ((first & FINAL) != 0) {
              return message.toByteArray();
            }
          }
        }
      }
    } catch (IOException _) {
      return null;
    }
  }

  /// One binary message; false when the client has gone.
  public boolean send(byte[] message) {
    try {
      write(BINARY, message);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Says good-bye.
  public void close() {
    try {
      write(CLOSE, ByteBuffer.allocate(2).putShort((short) NORMAL).array());
    } catch (IOException _) {
      // The client went first.
    }
  }

  private byte[] payload() throws IOException {
    int second = in.readUnsignedByte();
    long length = second & 0x7f;
    if (length == 126) {
      length = in.readUnsignedShort();
    } else if (length == 127) {
      length = in.readLong();
    }
    if (length < 0 || length > LARGEST_MESSAGE || (second & MASKED) == 0) {
      throw new IOException("frame is not accepted");
    }
    byte[] mask = in.readNBytes(4);
    byte[] payload = in.readNBytes((int) length);
    if (payload.length < length) {
      throw new EOFException();
    }
    for (int i = 0; i < payload.length; i++) {
      payload[i] ^= mask[i % 4];
    }
    return payload;
  }

  private void write(int opcode, byte[] payload) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(FINAL | opcode);
    if (payload.length < 126) {
      frame.write(payload.length);
    } else if (payload.length < 1 << 16) {
      frame.write(126);
      frame.writeBytes(ByteBuffer.allocate(2).putShort((short) payload.length).array());
    } else {
      frame.write(127);
      frame.writeBytes(ByteBuffer.allocate(8).putLong(payload.length).array());
    }
    frame.writeBytes(payload);
    writing.lock();
    try {
      frame.writeTo(out);
      out.flush();
    } finally {
      writing.unlock();
    }
  }

  /// Required by the protocol; nothing depends on its strength.
  private static String signature(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1")
              .digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
