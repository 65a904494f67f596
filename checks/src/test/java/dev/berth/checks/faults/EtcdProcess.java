package dev.berth.checks.faults;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Debian's etcd on the loopback interface.
final class EtcdProcess implements AutoCloseable {
  private static final AtomicInteger NEXT_PORT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(20_000, 31_000));

  private final Process process;
  private final String url;

  private EtcdProcess(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  static boolean isInstalled() {
    try {
      return new ProcessBuilder("etcd", "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  static EtcdProcess start(Path directory) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    String client = "http://127.0.0.1:" + freePort();
    String peer = "http://127.0.0.1:" + freePort();
    Process process =
        new ProcessBuilder(
                "etcd",
                "--data-dir=" + directory.resolve("data"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("etcd.log").toFile())
            .start();
    EtcdProcess etcd = new EtcdProcess(process, client);
    etcd.awaitHealthy();
    return etcd;
  }

  /// Not one of those that the kernel gives to whoever wants any: nobody gets it meanwhile.
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

  private void awaitHealthy() throws InterruptedException {
    HttpClient http = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/health")).build();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (System.nanoTime() < end && process.isAlive()) {
      try {
        if (http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200) {
          return;
        }
      } catch (IOException e) {
        // Not listening yet.
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    process.destroyForcibly();
    throw new AssertionError("etcd did not get healthy");
  }

  String url() {
    return url;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(Duration.ofMinutes(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
