package dev.berth.server.pki;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Hands the serving certificate to every new TLS handshake; a renewed one from the next handshake
/// on.
final class ServingKeys extends X509ExtendedKeyManager {
  private static final String EC = "EC";

  private volatile Credential current;

  /// A handshake that chose the old certificate must not be given the new key: the alias is the
  /// serial number, and the old one stays known.
  private volatile Credential previous;

  ServingKeys(Credential first) {
    current = first;
    previous = first;
  }

  void replace(Credential renewed) {
    if (!renewed.certificate().equals(current.certificate())) {
      previous = current;
      current = renewed;
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
    Credential credential = current;
    return keyType.equals(credential.key().getAlgorithm()) ? alias(credential) : null;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return new X509Certificate[] {named(alias).certificate()};
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return named(alias).key();
  }

  private Credential named(String alias) {
    Credential old = previous;
    return alias.equals(alias(old)) ? old : current;
  }

  private static String alias(Credential credential) {
    return credential.certificate().getSerialNumber().toString(16);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return keyType.equals(EC) ? new String[] {alias(current)} : null;
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
