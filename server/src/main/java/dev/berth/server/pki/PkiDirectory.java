package dev.berth.server.pki;

import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A private directory of credentials; creates missing ones and renews those that expire soon.
///
/// Renewal at 30 % of the lifetime leaves months for a yearly certificate, so a server that runs
/// rarely still renews in time.
final class PkiDirectory {
  private static final Logger log = LoggerFactory.getLogger(PkiDirectory.class);

  /// A certificate is renewed when less than this fraction of its lifetime is left.
  private static final double RENEW_BELOW = 0.3;

  /// Serializes writers within this process, because waiting for a file lock that the same process
  /// holds throws; `pki.lock` serializes processes.
  private static final ReentrantLock PROCESS = new ReentrantLock();

  private final Path path;
  private final Clock clock;

  PkiDirectory(Path path, Clock clock) {
    this.path = path;
    this.clock = clock;
    PkiFiles.makeDirectory(path);
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /// The condition for using a stored certificate.
  interface Condition {
    boolean holds(X509Certificate certificate);
  }

  /// Reads a credential; creates it when it is missing, unsuitable or expires soon.
  ///
  /// The caller holds the lock, so nobody creates the same credential twice.
  KeyAndCertificate open(String name, Condition condition, Supplier<KeyAndCertificate> maker) {
    Path file = file(name + ".pem");
    if (Files.exists(file)) {
      KeyAndCertificate found = KeyAndCertificate.read(file);
      if (!nearsEnd(found.certificate()) && condition.holds(found.certificate())) {
        return found;
      }
    }
    return made(file, maker.get());
  }

  KeyAndCertificate made(Path file, KeyAndCertificate credential) {
    credential.store(file);
    log.info(
        "certificate made file={} subject={} until={}",
        file.getFileName(),
        credential.certificate().getSubjectX500Principal().getName(),
        credential.certificate().getNotAfter().toInstant());
    return credential;
  }

  /// Returns whether a certificate must be renewed. The answer is also true before its validity
  /// starts: the clock was wrong at creation or is wrong now.
  boolean nearsEnd(X509Certificate certificate) {
    Instant start = certificate.getNotBefore().toInstant();
    Instant end = certificate.getNotAfter().toInstant();
    Instant now = clock.instant();
    Duration left = Duration.between(now, end);
    return now.isBefore(start)
        || left.toSeconds() < RENEW_BELOW * Duration.between(start, end).toSeconds();
  }

  /// Runs an action under the lock: two servers that start on one directory must not each create a
  /// CA.
  <T> T locked(Supplier<T> action) {
    PROCESS.lock();
    try (FileChannel channel =
            FileChannel.open(
                file("pki.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      return action.get();
    } catch (IOException e) {
      throw new PkiException(
          new Problem(
              "cannot lock " + file("pki.lock"),
              String.valueOf(e.getMessage()),
              "Make the directory writable for this user, or choose another one with --cert-dir"),
          e);
    } finally {
      PROCESS.unlock();
    }
  }
}
