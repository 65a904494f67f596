package dev.berth.server.pki;

import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keys and certificates of one cluster, in one private folder.
///
/// `ca.pem`, `server.pem`, `service-account.pem` and one `<client>.pem` per client hold a key and
/// what belongs to it; `ca.crt` is the authority's certificate alone, to give away.
public final class ClusterPki {
  private static final Logger log = LoggerFactory.getLogger(ClusterPki.class);

  /// Renewed when less than this part of its life is left.
  private static final double RENEW_BELOW = 0.3;

  /// Guards making and replacing of files within this process, where a file lock cannot be waited
  /// for; `pki.lock` does so between processes.
  private static final ReentrantLock PROCESS = new ReentrantLock();

  private final Path folder;
  private final Clock clock;
  private final SubjectNames names;
  private final Credential authority;
  private final ServiceAccountKeys serviceAccountKeys;
  private final ServingKeys servingKeys;

  private final Signer signer;

  private volatile Credential serving;

  /// Reads what the folder holds and makes what is missing or at its end.
  ///
  /// @param names host names and addresses under which clients reach this server, beyond
  ///   `localhost` and the in-cluster names
  public static ClusterPki open(Path folder, Clock clock, Collection<String> names) {
    PrivateFiles.makeFolder(folder);
    return locked(folder, () -> new ClusterPki(folder, clock, SubjectNames.of(names)));
  }

  private ClusterPki(Path folder, Clock clock, SubjectNames names) {
    this.folder = folder;
    this.clock = clock;
    this.names = names;
    signer = new Signer(clock, new SecureRandom());
    authority = openAuthority();
    serviceAccountKeys = openServiceAccountKeys();
    serving = openServing();
    servingKeys = new ServingKeys(serving);
  }

  public X509Certificate authority() {
    return authority.certificate();
  }

  public String authorityPem() {
    return authority.certificatePem();
  }

  public ServiceAccountKeys serviceAccountKeys() {
    return serviceAccountKeys;
  }

  public X509Certificate servingCertificate() {
    return serving.certificate();
  }

  /// For a TLS server that asks for client certificates without insisting on one; follows renewals.
  public SSLContext serverContext() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {servingKeys},
          new TrustManager[] {new AnyClientCertificate(authority.certificate())},
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no TLS", e);
    }
  }

  /// The stored certificate of a client, made or renewed when that is needed.
  public Credential client(ClientIdentity identity) {
    return locked(
        folder,
        () -> openLeaf(identity.file(), _ -> true, () -> signer.client(authority, identity)));
  }

  /// Renews the serving certificate if it nears its end; connections made from then on get the new
  /// one. To be called now and then, e.g. hourly.
  ///
  /// @return whether there is a new one
  public boolean renew() {
    return locked(
        folder,
        () -> {
          Credential before = serving;
          serving = openServing();
          servingKeys.replace(serving);
          return !serving.certificate().equals(before.certificate());
        });
  }

  private Credential openAuthority() {
    Path file = folder.resolve("ca.pem");
    Credential found;
    if (!Files.exists(file)) {
      found = made(file, signer.authority());
    } else {
      found = Credential.read(file);
      if (nearsEnd(found.certificate())) {
        found = made(file, signer.extended(found));
      }
    }
    Path copy = folder.resolve("ca.crt");
    if (!Files.exists(copy) || !PrivateFiles.read(copy).equals(found.certificatePem())) {
      PrivateFiles.write(copy, found.certificatePem());
    }
    return found;
  }

  private ServiceAccountKeys openServiceAccountKeys() {
    Path file = folder.resolve("service-account.pem");
    if (Files.exists(file)) {
      return ServiceAccountKeys.read(file);
    }
    ServiceAccountKeys keys = ServiceAccountKeys.generate();
    keys.store(file);
    return keys;
  }

  private Credential openServing() {
    return openLeaf("server", this::hasOurNames, () -> signer.server(authority, names));
  }

  private boolean hasOurNames(X509Certificate certificate) {
    try {
      return SubjectNames.in(certificate).equals(names);
    } catch (CertificateParsingException _) {
      return false;
    }
  }

  /// What else must be true of a stored certificate for it to be used.
  private interface Condition {
    boolean holds(X509Certificate certificate);
  }

  private Credential openLeaf(String name, Condition condition, Supplier<Credential> maker) {
    Path file = folder.resolve(name + ".pem");
    if (Files.exists(file)) {
      Credential found = Credential.read(file);
      if (signedByUs(found.certificate())
          && !nearsEnd(found.certificate())
          && condition.holds(found.certificate())) {
        return found;
      }
    }
    return made(file, maker.get());
  }

  private Credential made(Path file, Credential credential) {
    credential.store(file);
    log.info(
        "certificate made file={} subject={} until={}",
        file.getFileName(),
        credential.certificate().getSubjectX500Principal().getName(),
        credential.certificate().getNotAfter().toInstant());
    return credential;
  }

  private boolean signedByUs(X509Certificate certificate) {
    try {
      certificate.verify(authority.certificate().getPublicKey());
      return true;
    } catch (GeneralSecurityException _) {
      return false;
    }
  }

  /// Also true before its time: then the clock was wrong when it was made, or is now.
  private boolean nearsEnd(X509Certificate certificate) {
    Instant start = certificate.getNotBefore().toInstant();
    Instant end = certificate.getNotAfter().toInstant();
    Instant now = clock.instant();
    Duration left = Duration.between(now, end);
    return now.isBefore(start)
        || left.toSeconds() < RENEW_BELOW * Duration.between(start, end).toSeconds();
  }

  /// Two servers that start on one folder at the same time must not each make an authority.
  private static <T> T locked(Path folder, Supplier<T> action) {
    PROCESS.lock();
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve("pki.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      return action.get();
    } catch (IOException e) {
      throw new PkiException(
          new Problem(
              "cannot lock " + folder.resolve("pki.lock"),
              String.valueOf(e.getMessage()),
              "Make the folder writable for this user, or choose another one with --data-dir"),
          e);
    } finally {
      PROCESS.unlock();
    }
  }
}
