package dev.berth.vm.template;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Takes the state of a machine from its QEMU, which may neither write files of its own choice nor
/// start programs.
final class StateReceiver implements AutoCloseable {
  /// Devices have tens of kilobytes.
  private static final int LARGEST = 1 << 26;

  private final ServerSocketChannel server;

  private StateReceiver(ServerSocketChannel server) {
    this.server = server;
  }

  /// @param user may connect
  static StateReceiver listen(Path socket, int user) throws IOException {
    Files.deleteIfExists(socket);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    server.configureBlocking(false);
    Files.setAttribute(socket, "unix:uid", user);
    return new StateReceiver(server);
  }

  /// Writes everything that one client sends.
  void receive(Path file, Duration limit) throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    Files.deleteIfExists(file);
    try (FileChannel to =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        SocketChannel from = accept(deadline)) {
      from.configureBlocking(false);
      ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
      while (true) {
        int count = from.read(buffer.clear());
        if (count < 0) {
          return;
        }
        to.write(buffer.flip());
        if (to.size() > LARGEST) {
          throw new IOException("QEMU sent more than %d bytes of state".formatted(LARGEST));
        }
        if (count == 0) {
          rest(deadline);
        }
      }
    }
  }

  private SocketChannel accept(long deadline) throws IOException {
    while (true) {
      SocketChannel client = server.accept();
      if (client != null) {
        return client;
      }
      rest(deadline);
    }
  }

  private static void rest(long deadline) throws IOException {
    if (System.nanoTime() > deadline) {
      throw new IOException("QEMU did not send its state in time");
    }
    LockSupport.parkNanos(500_000);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
