package dev.berth.vm.template;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/// Runs lines in a guest that has a shell for its program.
final class ShellClient implements AutoCloseable {
  private final SocketChannel channel;

  ShellClient(Path socket) throws IOException {
    channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(socket));
    channel.configureBlocking(false);
  }

  /// A probe for templates.
  static void probe(Path socket, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (System.nanoTime() < deadline && !Thread.currentThread().isInterrupted()) {
      try (ShellClient client = new ShellClient(socket)) {
        if (client.run("echo hello", Duration.ofSeconds(60)).contains("hello")) {
          return;
        }
      } catch (IOException notYet) {
        Thread.onSpinWait();
      }
    }
    throw new IllegalStateException("the shell does not answer");
  }

  void send(String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  String run(String line) throws IOException {
    return run(line, Duration.ofSeconds(60));
  }

  private String run(String line, Duration limit) throws IOException {
    send(line);
    long deadline = System.nanoTime() + limit.toNanos();
    StringBuilder output = new StringBuilder();
    ByteBuffer buffer = ByteBuffer.allocate(1 << 14);
    while (!output.toString().endsWith("END\n")) {
      int count = channel.read(buffer.clear());
      if (count < 0 || System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
        throw new IOException("no end after: " + output);
      }
      output.append(StandardCharsets.UTF_8.decode(buffer.flip()));
      Thread.onSpinWait();
    }
    return output.substring(0, output.length() - "END\n".length());
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
