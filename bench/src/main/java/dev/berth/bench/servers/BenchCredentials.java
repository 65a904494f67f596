package dev.berth.bench.servers;

import dev.berth.api.certificates.KeyMaterial;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// The server's address and the client's credentials, from a kubeconfig with embedded data.
///
/// @param token a bearer token for clients without a certificate; empty when the kubeconfig has
///   none
public record BenchCredentials(URI server, SSLContext tls, String token) {
  public static BenchCredentials read(Path kubeconfig) throws IOException {
    String text = Files.readString(kubeconfig);
    try {
      Certificate authority = KeyMaterial.certificate(data(text, "certificate-authority-data"));
      Certificate own = KeyMaterial.certificate(data(text, "client-certificate-data"));
      PrivateKey key = KeyMaterial.privateKey(data(text, "client-key-data"));
      return new BenchCredentials(
          URI.create(value(text, "server")),
          context(authority, own, key),
          find(text, "token").orElse(""));
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use " + kubeconfig, e);
    }
  }

  private static SSLContext context(Certificate authority, Certificate own, PrivateKey key)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    // One store has the authority to trust and the key to show, which are separate managers in TLS.
    store.setCertificateEntry("ca", authority);
    // The password protects nothing, because the store is never written; an empty one must be
    // given.
    store.setKeyEntry("own", key, new char[0], new Certificate[] {own});
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static byte[] data(String text, String field) {
    return Base64.getDecoder().decode(value(text, field));
  }

  private static String value(String text, String field) {
    return find(text, field)
        .orElseThrow(() -> new IllegalArgumentException("no " + field + " in the kubeconfig"));
  }

  /// The value of a field in a kubeconfig, without a YAML parser: every field is a line of its own.
  private static Optional<String> find(String text, String field) {
    // The first match counts, which is the right one in a kubeconfig with one cluster and one user.
    Matcher matcher = Pattern.compile("(?m)^\\s*" + field + ":\\s*\"?([^\"\\s]+)").matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  public BenchCredentials withToken(String other) {
    return new BenchCredentials(server, tls, other);
  }
}
