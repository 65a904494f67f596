package dev.berth.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends requests with the credentials of a kubeconfig, and reloads them when the kubeconfig or a
/// file that it names changes: other programs renew certificates in place.
///
/// While another process writes the files, certificate and key may not match: the transport then
/// keeps the previous credentials and tries again.
final class ReloadingTransport implements ApiTransport {
  private static final Logger log = LoggerFactory.getLogger(ReloadingTransport.class);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  /// Open watches keep the previous credentials until they end, within a few minutes.
  private static final int KEPT = 2;

  private final Path kubeconfig;
  private final UnaryOperator<ClientConfig> adaptation;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final Deque<ApiTransport> older = new ArrayDeque<>();
  private List<String> seen;
  private long lookedAt;

  private volatile ApiTransport current;

  /// @param adaptation what is used instead of the content of the kubeconfig
  ReloadingTransport(
      Path kubeconfig, UnaryOperator<ClientConfig> adaptation, LongSupplier nanoTime) {
    this.kubeconfig = kubeconfig;
    this.adaptation = adaptation;
    this.nanoTime = nanoTime;
    this.lookedAt = nanoTime.getAsLong();
    ClientConfig config = read();
    this.seen = fingerprint(config);
    this.current = new HttpTransport(config);
  }

  private ClientConfig read() {
    return adaptation.apply(ClientConfig.fromKubeconfig(kubeconfig));
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    // Another thread is already checking the files; one check is enough.
    if (lock.tryLock()) {
      try {
        lookAgain();
      } finally {
        lock.unlock();
      }
    }
    return current.send(request);
  }

  private void lookAgain() {
    long now = nanoTime.getAsLong();
    if (now - lookedAt < PAUSE.toNanos()) {
      return;
    }
    lookedAt = now;
    try {
      ClientConfig config = read();
      List<String> found = fingerprint(config);
      if (!found.equals(seen)) {
        ApiTransport renewed = new HttpTransport(config.requireKeyPair());
        older.addLast(current);
        current = renewed;
        seen = found;
        log.info("credentials reloaded kubeconfig={}", kubeconfig);
        while (older.size() > KEPT) {
          older.removeFirst().close();
        }
      }
    } catch (IllegalArgumentException e) {
      log.warn(
          "kubeconfig changed and cannot be used, the previous credentials remain in use kubeconfig={} reason=\"{}\"",
          kubeconfig,
          e.getMessage());
    }
  }

  /// Time and size of the kubeconfig and of every file that it names.
  private List<String> fingerprint(ClientConfig config) {
    List<String> all = new ArrayList<>(List.of(fingerprint(kubeconfig)));
    config.files().forEach(file -> all.add(fingerprint(file)));
    return all;
  }

  /// A file that is missing has a fingerprint too, so its return is noticed.
  private static String fingerprint(Path file) {
    try {
      return file + " " + Files.getLastModifiedTime(file).toMillis() + " " + Files.size(file);
    } catch (IOException e) {
      return file + " " + e.getClass().getSimpleName();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      older.forEach(ApiTransport::close);
      older.clear();
      current.close();
    } finally {
      lock.unlock();
    }
  }
}
