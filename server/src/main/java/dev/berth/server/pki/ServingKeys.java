package dev.berth.server.pki;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Chooses the serving certificate of each TLS handshake; a renewed one is used from the next
/// handshake on.
///
/// There may be two: Berth's own, and an external one for the names that clients use. Berth's
/// components connect by address and without a server name: they get the external one only if it is
/// valid for their address.
final class ServingKeys extends X509ExtendedKeyManager {
  private final String localAddress;

  /// Keys by alias. A handshake that chose a certificate before its renewal must not get the new
  /// key, so a few old ones are kept.
  private final Map<String, Served> byAlias = new ConcurrentHashMap<>();

  private volatile Served own;
  private volatile @Nullable Served foreign;

  /// A key with its certificate chain.
  private record Served(
      String alias, PrivateKey key, List<X509Certificate> chain, SubjectNames names) {}

  ServingKeys(KeyAndCertificate own, String localAddress) {
    this.localAddress = localAddress;
    this.own = known(served("own", own.key(), List.of(own.certificate())));
  }

  void replace(KeyAndCertificate renewed) {
    if (!renewed.certificate().equals(own.chain().getFirst())) {
      own = known(served("own", renewed.key(), List.of(renewed.certificate())));
    }
  }

  void replaceForeign(PrivateKey key, List<X509Certificate> chain) {
    Served before = foreign;
    if (before == null || !before.chain().equals(chain)) {
      foreign = known(served("foreign", key, chain));
    }
  }

  private Served known(Served served) {
    byAlias.put(served.alias(), served);
    return served;
  }

  private static Served served(String sort, PrivateKey key, List<X509Certificate> chain) {
    X509Certificate leaf = chain.getFirst();
    try {
      return new Served(
          sort + " " + leaf.getSerialNumber().toString(16),
          key,
          List.copyOf(chain),
          SubjectNames.in(leaf));
    } catch (CertificateParsingException e) {
      throw new IllegalArgumentException(
          "the subject alternative names of the serving certificate cannot be read", e);
    }
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    Served served = choose(requestedName(engine));
    return keyType.equals(served.key().getAlgorithm()) ? served.alias() : null;
  }

  /// Without a name the client called by address: only the local address decides.
  private Served choose(@Nullable String name) {
    Served other = foreign;
    if (other == null) {
      return own;
    }
    if (name == null) {
      return other.names().addresses().contains(localAddress) ? other : own;
    }
    return !other.names().covers(name) && own.names().covers(name) ? own : other;
  }

  private static @Nullable String requestedName(SSLEngine engine) {
    return engine.getHandshakeSession() instanceof ExtendedSSLSession session
        ? session.getRequestedServerNames().stream()
            .filter(SNIHostName.class::isInstance)
            .map(name -> ((SNIHostName) name).getAsciiName())
            .findFirst()
            .orElse(null)
        : null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return keyType.equals(own.key().getAlgorithm()) ? own.alias() : null;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return byAlias.getOrDefault(alias, own).chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return byAlias.getOrDefault(alias, own).key();
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return byAlias.values().stream()
        .filter(served -> served.key().getAlgorithm().equals(keyType))
        .map(Served::alias)
        .toArray(String[]::new);
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
