package dev.berth.vm.network;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// Sends a line over TCP and reads it back.
record TcpEcho(NetworkCommands commands) {
  private static final int PORT = 7007;
  private static final int LIMIT_MILLIS = 20_000;
  private static final String LINE = "hello\n";

  /// The server is in a namespace, the client on the host.
  boolean fromHost(Path server, String address) throws IOException {
    try (Listener _ = new Listener(commands, server);
        Socket socket = new Socket()) {
      socket.setSoTimeout(LIMIT_MILLIS);
      socket.connect(new InetSocketAddress(address, PORT), LIMIT_MILLIS);
      return echoes(socket);
    }
  }

  boolean between(Path client, Path server, String address) throws IOException {
    try (Listener _ = new Listener(commands, server)) {
      return send(client, address, PORT).equals(LINE);
    }
  }

  boolean toHost(Path client, String address) throws IOException {
    try (ServerSocket server = new ServerSocket()) {
      server.bind(new InetSocketAddress(address, 0));
      Thread.ofVirtual().start(() -> serve(server));
      return send(client, address, server.getLocalPort()).equals(LINE);
    }
  }

  private static void serve(ServerSocket server) {
    try (Socket socket = server.accept()) {
      socket.getOutputStream().write(LINE.getBytes(StandardCharsets.UTF_8));
    } catch (IOException _) {
      // The client notices.
    }
  }

  /// The other side closes after the answer.
  private String send(Path client, String address, int port) throws IOException {
    return commands.inside(
        client,
        "sh",
        "-c",
        "echo hello | busybox nc -w 20 %s %d | head -n 1".formatted(address, port));
  }

  private static boolean echoes(Socket socket) throws IOException {
    byte[] line = LINE.getBytes(StandardCharsets.UTF_8);
    socket.getOutputStream().write(line);
    return new String(socket.getInputStream().readNBytes(line.length), StandardCharsets.UTF_8)
        .equals(LINE);
  }

  /// A server that repeats the first line of one connection.
  private static final class Listener implements AutoCloseable {
    private final Process process;

    Listener(NetworkCommands commands, Path namespace) throws IOException {
      List<String> command =
          NetworkCommands.nsenter(
              namespace,
              "busybox",
              "nc",
              "-l",
              "-p",
              Integer.toString(PORT),
              "-e",
              "head",
              "-n",
              "1");
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
      long end = System.nanoTime() + LIMIT_MILLIS * 1_000_000L;
      while (!commands.inside(namespace, "busybox", "netstat", "-ltn").contains(":" + PORT)) {
        if (System.nanoTime() > end) {
          throw new IOException("nothing listens on port " + PORT);
        }
      }
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }
}
