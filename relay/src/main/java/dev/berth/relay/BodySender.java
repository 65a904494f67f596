package dev.berth.relay;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends the body of a request, piece by piece, while the answer is already waited for or read: a
/// backend may answer before it has taken everything.
final class BodySender {
  private static final Logger log = LoggerFactory.getLogger(BodySender.class);
  private static final int PIECE = 32 << 10;
  private static final byte[] LINE = {'\r', '\n'};

  private final RequestBody body;
  private final Socket socket;
  private final Thread thread;

  private BodySender(RequestBody body, Socket socket) {
    this.body = body;
    this.socket = socket;
    this.thread = Thread.ofVirtual().name("relay-body").unstarted(this::send);
  }

  static BodySender start(RequestBody body, Socket socket) {
    BodySender sender = new BodySender(body, socket);
    sender.thread.start();
    return sender;
  }

  private void send() {
    byte[] piece = new byte[PIECE];
    int length = read(piece);
    while (length >= 0 && write(piece, length)) {
      length = read(piece);
    }
  }

  /// How many bytes there are, or a negative number at the end, which the backend then knows of. A
  /// body that broke off must not be waited for nor be taken for whole: the connection goes with
  /// it.
  @SuppressWarnings("CatchingUnchecked") // The top of a thread.
  private int read(byte[] piece) {
    try {
      int length = body.content().read(piece);
      if (length < 0 && body.isChunked()) {
        boolean _ = write(piece, 0);
      }
      return length;
    } catch (IOException | RuntimeException e) {
      log.debug("body broke off why={}", e.getMessage());
      closeSocket();
      return -1;
    }
  }

  /// Whether the backend takes more. One that does not may have answered, which can still be read.
  private boolean write(byte[] piece, int length) {
    try {
      OutputStream out = socket.getOutputStream();
      if (body.isChunked()) {
        out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      }
      out.write(piece, 0, length);
      if (body.isChunked()) {
        out.write(LINE);
      }
      return true;
    } catch (IOException e) {
      log.debug("backend takes no more of a body why={}", e.getMessage());
      return false;
    }
  }

  private void closeSocket() {
    try {
      socket.close();
    } catch (IOException e) {
      log.debug("connection does not close why={}", e.getMessage());
    }
  }

  /// Ends the sending: it reads no more of the body when this returns. First the interrupt, because
  /// a write that waits would hold up the close of a TLS connection.
  void stop() {
    thread.interrupt();
    closeSocket();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
