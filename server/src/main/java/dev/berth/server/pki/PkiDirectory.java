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

/// A private directory of credentials that are made when they are missing and replaced in time.
final class PkiDirectory {
  private static final Logger log = LoggerFactory.getLogger(PkiDirectory.class);

  /// Renewed when less than this part of its life is left.
  private static final double RENEW_BELOW = 0.3;

  /// Guards making and replacing of files within this process, where a file lock cannot be waited
  /// for; `pki.lock` does so between processes.
  private static final ReentrantLock PROCESS = new ReentrantLock();

  private final Path path;
  private final Clock clock;

  PkiDirectory(Path path, Clock clock) {
    this.path = path;
    this.clock = clock;
    PrivateFiles.makeDirectory(path);
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /// What must be true of a stored certificate for it to be used.
  interface Condition {
    boolean holds(X509Certificate certificate);
  }

  /// Reads a credential, or makes it when there is none that is good for a while.
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

  /// Also true before its time: then the clock was wrong when it was made, or is now.
  boolean nearsEnd(X509Certificate certificate) {
    Instant start = certificate.getNotBefore().toInstant();
    Instant end = certificate.getNotAfter().toInstant();
    Instant now = clock.instant();
    Duration left = Duration.between(now, end);
    return now.isBefore(start)
        || left.toSeconds() < RENEW_BELOW * Duration.between(start, end).toSeconds();
  }

  /// Two servers that start on one directory at the same time must not each make an authority.
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
