package dev.berth.relay;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends the body of a request in pieces while the caller waits for the answer or reads it. A
/// backend may answer before it has read the whole body.
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

  /// Reads the next piece; returns a negative number at the end. A body that broke off must neither
  /// be waited for nor taken as complete, so the connection closes with it.
  @SuppressWarnings("CatchingUnchecked") // The top of a thread.
  private int read(byte[] piece) {
    try {
      int length = body.content().read(piece);
      if (length < 0 && body.isChunked()) {
        boolean _ = write(piece, 0);
      }
      return length;
    } catch (IOException | RuntimeException e) {
      log.debug("body broke off reason={}", e.getMessage());
      closeSocket();
      return -1;
    }
  }

  /// Sends a piece; returns false when the backend accepts no more. Its answer, if any, can still
  /// be read.
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
      log.debug("backend takes no more of a body reason={}", e.getMessage());
      return false;
    }
  }

  private void closeSocket() {
    try {
      socket.close();
    } catch (IOException e) {
      log.debug("connection does not close reason={}", e.getMessage());
    }
  }

  /// Stops sending; reads no more of the body when this returns. The interrupt comes first, because
  /// a waiting write would delay the close of a TLS connection.
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
