package dev.berth.server.pki;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/// TLS contexts for connections to nodes' servers: one per node, because each trusts only that
/// node.
///
/// A new client certificate makes a new instance; connections that are open keep the old one. Safe
/// for any number of threads.
final class NodeContexts {
  /// Bounds the cache; a full cache is cleared.
  private static final int REMEMBERED = 5_000;

  private final KeyAndCertificate credential;
  private final KeyManager[] own;
  private final X509ExtendedTrustManager nodeAuthority;
  private final X509ExtendedTrustManager clusterAuthority;
  private final Map<String, SSLContext> byNode = new ConcurrentHashMap<>();

  private NodeContexts(
      KeyAndCertificate credential,
      KeyManager[] own,
      X509ExtendedTrustManager nodeAuthority,
      X509ExtendedTrustManager clusterAuthority) {
    this.credential = credential;
    this.own = own;
    this.nodeAuthority = nodeAuthority;
    this.clusterAuthority = clusterAuthority;
  }

  /// @param nodeAuthority the CA of nodes' servers
  /// @param clusterAuthority the CA of older serving certificates, which administrators may also
  ///   have used
  static NodeContexts of(
      KeyAndCertificate credential,
      X509Certificate nodeAuthority,
      X509Certificate clusterAuthority) {
    try {
      char[] password = new char[0];
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setKeyEntry(
          "own", credential.key(), password, new Certificate[] {credential.certificate()});
      KeyManagerFactory own =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      own.init(keys, password);
      return new NodeContexts(
          credential, own.getKeyManagers(), trusting(nodeAuthority), trusting(clusterAuthority));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JDK has no TLS", e);
    }
  }

  static X509ExtendedTrustManager trusting(X509Certificate authority)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("authority", authority);
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
  }

  KeyAndCertificate credential() {
    return credential;
  }

  SSLContext of(String node) {
    if (byNode.size() >= REMEMBERED) {
      byNode.clear();
    }
    return byNode.computeIfAbsent(node, this::make);
  }

  private SSLContext make(String node) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      NodeTrust trust = new NodeTrust(node, nodeAuthority, clusterAuthority);
      context.init(own, new TrustManager[] {trust}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no TLS", e);
    }
  }
}
