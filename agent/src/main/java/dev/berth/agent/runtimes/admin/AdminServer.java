package dev.berth.agent.runtimes.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.berth.agent.runtimes.admin.AdminAnswer.Refused;
import dev.berth.api.Problem;
import dev.berth.cri.SocketFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channel;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves administrators' requests on a Unix socket that only the agent's user can open.
final class AdminServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AdminServer.class);
  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  private final AdminCommands commands;
  private final SocketFile socket;
  private final ServerSocketChannel listening;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final Thread thread;

  private record Connection(SocketChannel channel, Thread thread) {}

  private AdminServer(AdminCommands commands, SocketFile socket, ServerSocketChannel listening) {
    this.commands = commands;
    this.socket = socket;
    this.listening = listening;
    this.thread = Thread.ofVirtual().name("runtime-admin").unstarted(this::accept);
  }

  /// Starts the server; it listens when this returns.
  static AdminServer start(Path path, AdminCommands commands) throws IOException {
    SocketFile prepared = SocketFile.prepare(path);
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.bind(UnixDomainSocketAddress.of(prepared.bindPath()));
      var server = new AdminServer(commands, prepared.publish(), channel);
      server.thread.start();
      return server;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private void accept() {
    while (true) {
      try {
        SocketChannel channel = listening.accept();
        Thread serving =
            Thread.ofVirtual().name("runtime-admin-connection").unstarted(() -> serve(channel));
        connections.add(new Connection(channel, serving));
        serving.start();
      } catch (IOException e) {
        if (!listening.isOpen()) {
          return;
        }
        log.warn("connection refused reason={}", e.toString());
      }
    }
  }

  private void serve(SocketChannel channel) {
    try (channel;
        var reader = new BufferedReader(Channels.newReader(channel, UTF_8));
        Writer writer = Channels.newWriter(channel, UTF_8)) {
      for (String line = AdminJson.readLine(reader);
          !line.isEmpty();
          line = AdminJson.readLine(reader)) {
        send(writer, answer(line, writer));
      }
    } catch (IOException | UncheckedIOException e) {
      log.debug("connection ended reason={}", e.toString());
    } catch (InterruptedException _) {
      // Closed.
    } finally {
      connections.removeIf(connection -> connection.channel().equals(channel));
    }
  }

  private AdminAnswer answer(String line, Writer writer) throws InterruptedException {
    try {
      return commands.run(AdminJson.request(line), progress -> send(writer, progress));
    } catch (JsonProcessingException e) {
      return new Refused(
          List.of(
              new Problem(
                  "the request is not understood",
                  e.getOriginalMessage(),
                  "Use the `berth` of the agent's version")));
    }
  }

  private static void send(Writer writer, AdminAnswer answer) {
    try {
      writer.write(AdminJson.line(answer));
      writer.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    closeQuietly(listening);
    for (Connection connection : connections) {
      connection.thread().interrupt();
      closeQuietly(connection.channel());
    }
    socket.remove();
    try {
      thread.join(LONGEST_END);
      for (Connection connection : connections) {
        connection.thread().join(LONGEST_END);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void closeQuietly(Channel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      log.debug("close failed reason={}", e.toString());
    }
  }
}
