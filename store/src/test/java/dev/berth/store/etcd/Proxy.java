package dev.berth.store.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A connection to etcd that tests can cut, or let swallow the answers.
final class Proxy implements AutoCloseable {
  private final int target;
  private final ServerSocket listener;
  private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
  private volatile boolean cut;
  private volatile boolean swallow;

  Proxy(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  void cut() {
    cut = true;
    closeAll();
  }

  /// Requests go through, answers do not.
  void swallowAnswers() {
    swallow = true;
  }

  /// Connections made from now on work.
  void restore() {
    cut = false;
    swallow = false;
    closeAll();
  }

  private void closeAll() {
    for (Socket socket = open.poll(); socket != null; socket = open.poll()) {
      closeQuietly(socket);
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        if (cut) {
          client.close();
        } else {
          Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
          open.add(client);
          open.add(server);
          Thread.ofVirtual().start(() -> copy(client, server, false));
          Thread.ofVirtual().start(() -> copy(server, client, true));
        }
      }
    } catch (IOException e) {
      closeAll();
    }
  }

  private void copy(Socket from, Socket to, boolean answers) {
    byte[] buffer = new byte[64 << 10];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (!(answers && swallow)) {
          out.write(buffer, 0, n);
        }
      }
    } catch (IOException e) {
      // Cut, or ended by one of the two.
    } finally {
      closeQuietly(from);
      closeQuietly(to);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It was on its way out anyway.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    closeAll();
  }
}
