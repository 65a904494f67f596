package dev.berth.store.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.store.Await;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A real etcd member on loopback, which tests may kill and start again.
final class EtcdProcess implements AutoCloseable {
  private static final AtomicInteger NEXT_PORT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(20_000, 31_000));

  private final String name;
  private final Path directory;
  private final String scheme;
  private final int clientPort;
  private final int peerPort;
  private final List<String> more = new ArrayList<>();
  private String cluster;
  private @Nullable Process process;

  EtcdProcess(String name, Path directory, String scheme) throws IOException {
    this.name = name;
    this.directory = directory;
    this.scheme = scheme;
    this.clientPort = freePort();
    this.peerPort = freePort();
    this.cluster = name + "=" + peerUrl();
  }

  /// A single member that has answered, or a skipped test.
  static EtcdProcess started(Path directory) throws Exception {
    assumeInstalled();
    EtcdProcess etcd = new EtcdProcess("one", directory, "http");
    etcd.start();
    etcd.awaitPort();
    return etcd;
  }

  static void assumeInstalled() {
    String[] path = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1);
    assumeTrue(
        Arrays.stream(path).anyMatch(directory -> Files.isExecutable(Path.of(directory, "etcd"))),
        "etcd is not on PATH (Debian package etcd-server)");
  }

  /// Not one of those that the kernel gives to whoever wants any: it is to be free again for a
  /// member that was killed.
  private static int freePort() throws IOException {
    while (true) {
      int port = NEXT_PORT.getAndIncrement();
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (BindException _) {
        // Taken.
      }
    }
  }

  EtcdProcess withArguments(String... arguments) {
    more.addAll(List.of(arguments));
    return this;
  }

  static void join(List<EtcdProcess> members) {
    String cluster = String.join(",", members.stream().map(each -> each.cluster).toList());
    members.forEach(each -> each.cluster = cluster);
  }

  void start() throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of("etcd", "--name", name, "--data-dir", directory.resolve(name).toString()));
    command.addAll(List.of("--listen-client-urls", url(), "--advertise-client-urls", url()));
    command.addAll(List.of("--listen-peer-urls", peerUrl()));
    command.addAll(List.of("--initial-advertise-peer-urls", peerUrl()));
    command.addAll(List.of("--initial-cluster", cluster));
    command.addAll(more);
    Path log = directory.resolve(name + ".log");
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
  }

  void awaitPort() throws Exception {
    Await.until("etcd listens on " + clientPort, this::listens);
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), clientPort), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// As `kill -9` does.
  void kill() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly().onExit().join();
    }
  }

  String url() {
    return scheme + "://127.0.0.1:" + clientPort;
  }

  private String peerUrl() {
    return "http://127.0.0.1:" + peerPort;
  }

  /// Listens on IPv6's loopback as well.
  EtcdProcess withIpv6() {
    return withArguments("--listen-client-urls", url() + "," + ipv6Url());
  }

  String ipv6Url() {
    return scheme + "://[::1]:" + clientPort;
  }

  int clientPort() {
    return clientPort;
  }

  Path data() {
    return directory.resolve(name);
  }

  @Override
  public void close() {
    kill();
  }
}
