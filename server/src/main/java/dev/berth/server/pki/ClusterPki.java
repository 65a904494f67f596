package dev.berth.server.pki;

import dev.berth.api.certificates.CertificateRequest;
import dev.berth.api.certificates.CertificateSigner;
import dev.berth.api.certificates.ServerNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keys and certificates of one server and its cluster.
///
/// `ca.pem`, `node-ca.pem`, `service-account.pem` and one `<client>.pem` per client belong to the
/// cluster, `server.pem` to the server; each holds a key and its certificate or public key.
/// `ca.crt` and `node-ca.crt` are the CA certificates alone, for distribution.
///
/// Nodes' servers have a CA of their own, which clients of the API server do not trust: a node's
/// certificate cannot impersonate the API server, whatever names it contains.
///
/// Directories are locked while credentials are made or renewed, so several servers may start on
/// one directory. Reads take no lock: every field that renewal replaces is volatile and holds an
/// immutable value.
public final class ClusterPki {
  private static final Logger log = LoggerFactory.getLogger(ClusterPki.class);
  private static final String LOCAL_ADDRESS = "127.0.0.1";

  private final PkiConfig config;
  private final PkiDirectory shared;
  private final PkiDirectory own;
  private final SubjectNames names;
  private final X509Signer signer;
  private final Clock clock;
  private final KeyAndCertificate authority;
  private final KeyAndCertificate nodeAuthority;

  /// Volatile, like the fields below: renewal replaces them while handshakes read them.
  private volatile List<X509Certificate> clientAuthorities;

  private final ServiceAccountKeys serviceAccountKeys;

  private volatile KeyAndCertificate serving;
  private volatile List<X509Certificate> foreignServing = List.of();
  private volatile ServingKeys servingKeys;
  private volatile @Nullable NodeContexts nodeClients;

  /// Reads the credentials; creates missing ones and renews those that expire soon.
  public static ClusterPki open(PkiConfig config, Clock clock) {
    PkiDirectory shared = new PkiDirectory(config.shared(), clock);
    return shared.locked(() -> new ClusterPki(config, shared, clock));
  }

  /// Like {@link #open}, with all credentials in one directory.
  public static ClusterPki open(Path directory, Clock clock, List<String> names) {
    return open(PkiConfig.of(directory, names), clock);
  }

  private ClusterPki(PkiConfig config, PkiDirectory shared, Clock clock) {
    this.config = config;
    this.shared = shared;
    own = new PkiDirectory(config.own(), clock);
    names = SubjectNames.of(config.names());
    signer = new X509Signer(clock, new SecureRandom());
    this.clock = clock;
    authority = openAuthority("ca", "berth-ca");
    nodeAuthority = openAuthority("node-ca", "berth-node-ca");
    clientAuthorities = openClientAuthorities();
    serviceAccountKeys = openServiceAccountKeys().withOthers(config.tokenKeys());
    serving = openServing();
    servingKeys = new ServingKeys(serving, LOCAL_ADDRESS);
    readForeignServing(servingKeys);
  }

  public X509Certificate authority() {
    return authority.certificate();
  }

  /// Returns the CAs whose clients are accepted. The list is a new one only after a change, which
  /// caches rely on.
  public List<X509Certificate> clientAuthorities() {
    return clientAuthorities;
  }

  /// The CA certificate of the API server, in PEM.
  public String authorityPem() {
    StringBuilder all = new StringBuilder(authority.certificatePem());
    foreignServing.forEach(certificate -> all.append(KeyAndCertificate.pem(certificate)));
    return all.toString();
  }

  public ServiceAccountKeys serviceAccountKeys() {
    return serviceAccountKeys;
  }

  public X509Certificate servingCertificate() {
    return serving.certificate();
  }

  public SSLContext serverContext() {
    return serverContext(LOCAL_ADDRESS);
  }

  /// The TLS context of the server, which requests client certificates without requiring them;
  /// follows renewals.
  ///
  /// @param localAddress the address at which components of the cluster reach the server
  public SSLContext serverContext(String localAddress) {
    try {
      servingKeys = new ServingKeys(serving, localAddress);
      readForeignServing(servingKeys);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {servingKeys},
          new TrustManager[] {new AnyClientCertificate(this::clientAuthorities)},
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no TLS", e);
    }
  }

  /// The TLS context for connections to a node's server; rebuilt after a renewal of the client
  /// certificate.
  public SSLContext nodeClientContext(String node) {
    KeyAndCertificate credential = client(ClientIdentity.NODE_CLIENT);
    NodeContexts made = nodeClients;
    if (made == null || !made.credential().certificate().equals(credential.certificate())) {
      made = NodeContexts.of(credential, nodeAuthority.certificate(), authority.certificate());
      nodeClients = made;
    }
    return made.of(node);
  }

  /// The CA certificate of nodes' servers, in PEM.
  public String nodeAuthorityPem() {
    return nodeAuthority.certificatePem();
  }

  /// The names and addresses in the API server's certificates.
  public ServerNames serverNames() {
    SubjectNames all = names;
    if (!foreignServing.isEmpty()) {
      try {
        all = all.and(SubjectNames.in(foreignServing.getFirst()));
      } catch (CertificateParsingException e) {
        throw new IllegalStateException("the names of the serving certificate cannot be read", e);
      }
    }
    return new ServerNames(all.hosts(), all.addresses());
  }

  /// Signs a node's client certificate; returns PEM. The private key never leaves the node.
  public String nodeCertificate(String node, PublicKey key) {
    return KeyAndCertificate.pem(signer.client(authority, ClientIdentity.node(node), key));
  }

  /// Signs a certificate for a node's server; returns PEM.
  ///
  /// @param names names and addresses of the node's server; the caller has checked them
  public String nodeServingCertificate(String node, List<String> names, PublicKey key) {
    return KeyAndCertificate.pem(
        signer.server(nodeAuthority, ClientIdentity.node(node), SubjectNames.only(names), key));
  }

  /// Signs an approved request; returns PEM.
  ///
  /// @param usages usages that the signer allows
  /// @param lifetime requested lifetime; limited to a year and to the CA's own lifetime
  public String sign(
      CertificateSigner by, CertificateRequest request, List<String> usages, Duration lifetime) {
    KeyAndCertificate issuer =
        switch (by) {
          case API_CLIENT, NODE_CLIENT -> authority;
          case NODE_SERVING -> nodeAuthority;
        };
    Duration left =
        Duration.between(clock.instant(), issuer.certificate().getNotAfter().toInstant());
    Duration shortest =
        Stream.of(lifetime, left, X509Signer.LEAF_LIFETIME)
            .min(Comparator.naturalOrder())
            .orElseThrow();
    return KeyAndCertificate.pem(signer.requested(issuer, request, usages, shortest));
  }

  /// The stored certificate of a client; created or renewed when needed.
  public KeyAndCertificate client(ClientIdentity identity) {
    return shared.locked(
        () ->
            shared.open(
                identity.file(), this::signedByUs, () -> signer.client(authority, identity)));
  }

  /// Renews the serving certificate if it expires soon; new connections use the new one. Called
  /// periodically, for example hourly.
  ///
  /// @return whether the certificate was renewed
  public boolean renew() {
    return shared.locked(
        () -> {
          KeyAndCertificate before = serving;
          serving = openServing();
          servingKeys.replace(serving);
          rereadForeignServing();
          rereadClientAuthorities();
          return !serving.certificate().equals(before.certificate());
        });
  }

  private KeyAndCertificate openAuthority(String fileName, String commonName) {
    Path file = shared.file(fileName + ".pem");
    KeyAndCertificate found;
    if (!Files.exists(file)) {
      found = shared.made(file, signer.authority(commonName));
    } else {
      found = KeyAndCertificate.read(file);
      // The CA keeps its key, so certificates that it has signed stay valid and clients only need
      // the new CA certificate when the old one ends.
      if (shared.nearsEnd(found.certificate())) {
        found = shared.made(file, signer.extended(found));
      }
    }
    // The copy may be missing or old when an earlier start was interrupted between both writes.
    Path copy = shared.file(fileName + ".crt");
    if (!Files.exists(copy) || !PkiFiles.read(copy).equals(found.certificatePem())) {
      PkiFiles.write(copy, found.certificatePem());
    }
    return found;
  }

  private List<X509Certificate> openClientAuthorities() {
    List<X509Certificate> all = new ArrayList<>(List.of(authority.certificate()));
    if (config.clientAuthorities() != null) {
      all.addAll(KeyFiles.certificates(config.clientAuthorities()));
    }
    return List.copyOf(all);
  }

  private ServiceAccountKeys openServiceAccountKeys() {
    if (config.signingKey() != null) {
      return ServiceAccountKeys.foreign(config.signingKey());
    }
    Path file = shared.file("service-account.pem");
    if (Files.exists(file)) {
      return ServiceAccountKeys.read(file);
    }
    ServiceAccountKeys keys = ServiceAccountKeys.generate();
    keys.store(file);
    return keys;
  }

  private KeyAndCertificate openServing() {
    return own.open(
        "server",
        certificate -> signedByUs(certificate) && hasOurNames(certificate),
        () -> signer.server(authority, names));
  }

  private boolean hasOurNames(X509Certificate certificate) {
    try {
      return SubjectNames.in(certificate).equals(names);
    } catch (CertificateParsingException _) {
      return false;
    }
  }

  private boolean signedByUs(X509Certificate certificate) {
    try {
      certificate.verify(authority.certificate().getPublicKey());
      return true;
    } catch (GeneralSecurityException _) {
      return false;
    }
  }

  private void readForeignServing(ServingKeys into) {
    PkiConfig.Serving files = config.serving();
    if (files == null) {
      return;
    }
    List<X509Certificate> chain = KeyFiles.certificates(files.certificates());
    PrivateKey key = KeyFiles.privateKey(files.key());
    try {
      KeyPairs.check(key, chain.getFirst().getPublicKey());
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw KeyFiles.unusable(
          files.key(), "it is not the key of the certificate in " + files.certificates(), e);
    }
    into.replaceForeign(key, chain);
    foreignServing = chain;
  }

  private void rereadClientAuthorities() {
    try {
      List<X509Certificate> found = openClientAuthorities();
      if (!found.equals(clientAuthorities)) {
        clientAuthorities = found;
        log.info("client authorities reloaded count={}", found.size());
      }
    } catch (PkiException e) {
      log.warn(
          "cannot reload client authorities, the server keeps the old ones reason={}", e.problem());
    }
  }

  /// An external program may be replacing the files right now, so an error keeps the old
  /// certificate.
  private void rereadForeignServing() {
    try {
      readForeignServing(servingKeys);
    } catch (PkiException e) {
      log.warn(
          "cannot reload the serving certificate, the server keeps the old one reason={}",
          e.problem());
    }
  }
}
