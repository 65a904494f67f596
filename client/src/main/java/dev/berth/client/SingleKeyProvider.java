package dev.berth.client;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// A key manager with one key and certificate, presented to a server that accepts its key type.
///
/// A key store would encrypt the key in memory and decrypt it on use, with thousands of rounds each
/// time.
final class SingleKeyProvider extends X509ExtendedKeyManager {
  private static final String ALIAS = "client";

  private final PrivateKey key;
  private final X509Certificate[] chain;

  SingleKeyProvider(PrivateKey key, X509Certificate[] chain) {
    this.key = key;
    this.chain = chain.clone();
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return chooseClientAlias(keyTypes, issuers, null);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    // A key of a type that the server does not accept would end the handshake; without a
    // certificate the server answers 401 with a reason.
    return Arrays.asList(keyTypes).contains(key.getAlgorithm()) ? ALIAS : null;
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return keyType.equals(key.getAlgorithm()) ? new String[] {ALIAS} : null;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return chain.clone();
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return key;
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
