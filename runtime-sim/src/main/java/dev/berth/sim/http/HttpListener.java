package dev.berth.sim.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accepts connections and gives each a virtual thread.
public final class HttpListener implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpListener.class);

  /// Answers requests.
  public interface Handler {
    void handle(HttpExchange exchange) throws IOException;
  }

  private final ServerSocketChannel server;
  private final Handler handler;
  private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();

  private HttpListener(ServerSocketChannel server, Handler handler) {
    this.server = server;
    this.handler = handler;
    Thread.ofVirtual().name("sim-http").start(this::accept);
  }

  /// On a free port that only this machine reaches.
  public static HttpListener onLoopback(Handler handler) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.INET);
    server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
    return new HttpListener(server, handler);
  }

  /// At a unix socket that only its owner may use; replaces one that is left over.
  public static HttpListener atSocket(Path path, Handler handler) throws IOException {
    refuseWhatIsInUse(path);
    Path directory = path.toAbsolutePath().getParent();
    if (directory != null && !Files.exists(directory)) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    // Bound beside its place and moved there, so that nobody can connect before it is private.
    Path bound = path.resolveSibling(path.getFileName() + "~");
    Files.deleteIfExists(bound);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(bound));
      Files.setPosixFilePermissions(bound, PosixFilePermissions.fromString("rw-------"));
      Files.move(bound, path, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      server.close();
      throw e;
    }
    return new HttpListener(server, handler);
  }

  /// The port, for one on loopback.
  public int port() {
    try {
      SocketAddress address = server.getLocalAddress();
      return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
    } catch (IOException e) {
      throw new IllegalStateException("not listening", e);
    }
  }

  /// Ends open connections, too.
  @Override
  public void close() {
    closeQuietly(server);
    connections.forEach(HttpListener::closeQuietly);
  }

  private void accept() {
    while (true) {
      try {
        SocketChannel connection = server.accept();
        connections.add(connection);
        Thread.ofVirtual().name("sim-http-connection").start(() -> serve(connection));
      } catch (ClosedChannelException _) {
        return;
      } catch (IOException e) {
        log.warn("connection not accepted error={}", e.toString());
        return;
      }
    }
  }

  private void serve(SocketChannel connection) {
    try (connection) {
      HttpExchange exchange = HttpExchange.read(connection);
      if (exchange != null) {
        handler.handle(exchange);
      }
    } catch (IOException e) {
      log.debug("connection ended error={}", e.toString());
    } catch (RuntimeException e) {
      log.warn("request failed", e);
    } finally {
      connections.remove(connection);
    }
  }

  private static void refuseWhatIsInUse(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.connect(UnixDomainSocketAddress.of(path));
    } catch (IOException _) {
      // Nobody listens there, so it is left over.
      return;
    }
    throw new IOException(path + " is in use");
  }

  private static void closeQuietly(AutoCloseable channel) {
    try {
      channel.close();
    } catch (Exception e) {
      log.debug("not closed in order error={}", e.toString());
    }
  }
}
