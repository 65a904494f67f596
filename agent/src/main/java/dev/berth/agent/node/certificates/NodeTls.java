package dev.berth.agent.node.certificates;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// TLS of the node's server: a certificate that may arrive late and change, and clients of given
/// CAs.
public final class NodeTls extends X509ExtendedKeyManager {
  private static final String ALIAS = "node";

  private volatile CertificateSource.@Nullable Served held;

  /// Used from the next handshake on.
  void install(CertificateSource.Served served) {
    held = served;
  }

  /// Handshakes fail until a certificate is installed.
  ///
  /// @param clients the CAs of client certificates: more than one while a cluster changes its own
  public SSLContext context(List<X509Certificate> clients) {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      for (X509Certificate one : clients) {
        trusted.setCertificateEntry("clients-" + trusted.size(), one);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {this}, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JDK has no TLS", e);
    }
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return chooseServerAlias(keyType, issuers, null);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    CertificateSource.Served now = held;
    return now != null && keyType.equals(now.key().getAlgorithm()) ? ALIAS : null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    CertificateSource.Served now = held;
    return now == null ? null : now.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    CertificateSource.Served now = held;
    return now == null ? null : now.key();
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
