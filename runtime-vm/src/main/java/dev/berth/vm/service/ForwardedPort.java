package dev.berth.vm.service;

import dev.berth.api.Problem;
import dev.berth.vm.guest.GuestConnection;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.pods.LivePod;
import dev.berth.vm.pods.PodGuest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// One connection of a client to a port of a guest. Each direction has a thread, so that a program
/// that does not read holds up its own connection and no other one.
final class ForwardedPort implements AutoCloseable {
  private static final int PART = 32 * 1024;

  /// Parts that a client may be ahead of the program.
  private static final int MOST_WAITING = 64;

  /// Comes after the last part.
  private static final byte[] END = {};

  /// The client's end.
  interface PortClient {
    void send(byte[] bytes);

    /// Called once, after everything was sent.
    ///
    /// @param error a text; empty for none
    void end(byte[] error);
  }

  private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final CountDownLatch closing = new CountDownLatch(1);

  private ForwardedPort() {}

  /// Connects in the background; a failure reaches the client as the error of its connection.
  static ForwardedPort open(LivePod pod, int port, PortClient client) {
    ForwardedPort forwarded = new ForwardedPort();
    Thread.ofVirtual().name("port-forward").start(() -> forwarded.run(pod, port, client));
    return forwarded;
  }

  /// Hands over what the client sent; waits while the program is behind.
  void write(byte[] bytes) {
    if (bytes.length > 0) {
      add(bytes);
    }
  }

  /// The client sends no more.
  void endInput() {
    add(END);
  }

  private void add(byte[] bytes) {
    try {
      while (closing.getCount() > 0 && !waiting.offer(bytes, 100, TimeUnit.MILLISECONDS)) {
        // Asked again, because the connection may close meanwhile.
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isClosed() {
    return closing.getCount() == 0;
  }

  @Override
  public void close() {
    closing.countDown();
  }

  private void run(LivePod pod, int port, PortClient client) {
    String error = "";
    try (GuestConnection connection = connect(pod, port)) {
      Thread input = Thread.ofVirtual().name("port-input").start(() -> copyInput(connection));
      Thread watch = Thread.ofVirtual().name("port-close").start(() -> closeLater(connection));
      copyOutput(connection, client);
      closing.countDown();
      watch.interrupt();
      input.interrupt();
    } catch (GuestException e) {
      error = e.getMessage();
    } catch (IOException e) {
      error = closing.getCount() == 0 ? "" : "port %d of the pod: %s".formatted(port, e);
    } finally {
      closing.countDown();
    }
    client.end(String.valueOf(error).getBytes(StandardCharsets.UTF_8));
  }

  private static GuestConnection connect(LivePod pod, int port) {
    PodGuest guest =
        pod.guest()
            .orElseThrow(
                () ->
                    new GuestException(
                        FailureKind.DISCONNECTED,
                        new Problem(
                            "port %d cannot be reached".formatted(port),
                            "the pod is stopped",
                            "")));
    return guest.agent().connect(port);
  }

  private static void copyOutput(GuestConnection connection, PortClient client) throws IOException {
    byte[] part = new byte[PART];
    for (int read = connection.input().read(part);
        read >= 0;
        read = connection.input().read(part)) {
      client.send(Arrays.copyOf(part, read));
    }
  }

  private void copyInput(GuestConnection connection) {
    try {
      byte[] part = waiting.take();
      while (part.length > 0) {
        connection.output().write(part);
        connection.output().flush();
        part = waiting.take();
      }
      connection.output().close();
    } catch (InterruptedException | IOException _) {
      // The connection is over; whoever reads the other direction reports it.
      closing.countDown();
    }
  }

  /// Ends reads and writes that would wait for a program after the client is gone.
  private void closeLater(GuestConnection connection) {
    try {
      closing.await();
      connection.close();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
