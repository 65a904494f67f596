package dev.berth.client;

import dev.berth.api.certificates.KeyMaterial;
import dev.berth.api.certificates.PemBlocks;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// The TLS context of a connection, from the certificates of a kubeconfig.
///
/// The library's own context is not used: it also trusts every public authority, which is less safe
/// and loads 150 certificates.
final class ClientTls {
  private ClientTls() {}

  /// Trusts the configured authority alone; null stands for the JVM's own authorities.
  static TrustManager @Nullable [] trust(Config config) {
    try {
      byte[] pem = read(config.getCaCertData(), config.getCaCertFile());
      if (pem == null) {
        return null;
      }
      KeyStore store = emptyStore();
      int number = 0;
      for (Certificate certificate : certificates(pem)) {
        store.setCertificateEntry("ca-" + number++, certificate);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return factory.getTrustManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "the certificate authority for %s cannot be read: %s"
              .formatted(config.getMasterUrl(), e.getMessage()),
          e);
    }
  }

  /// The client's certificate; null when it has none.
  static KeyManager @Nullable [] identity(Config config) {
    try {
      byte[] certificate = read(config.getClientCertData(), config.getClientCertFile());
      byte[] key = read(config.getClientKeyData(), config.getClientKeyFile());
      if (certificate == null || key == null) {
        return null;
      }
      X509Certificate[] chain = certificates(certificate).toArray(X509Certificate[]::new);
      return new KeyManager[] {new SingleKeyProvider(KeyMaterial.privateKey(key), chain)};
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "the client certificate for %s cannot be read: %s"
              .formatted(config.getMasterUrl(), e.getMessage()),
          e);
    }
  }

  static void requireKeyPair(Config config) {
    try {
      byte[] certificate = read(config.getClientCertData(), config.getClientCertFile());
      byte[] key = read(config.getClientKeyData(), config.getClientKeyFile());
      if (certificate == null || key == null) {
        return;
      }
      X509Certificate own = certificates(certificate).getFirst();
      if (!KeyMaterial.isPair(KeyMaterial.privateKey(key), own.getPublicKey())) {
        throw new IllegalArgumentException("the client key is not that of the client certificate");
      }
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "the client certificate cannot be read: " + e.getMessage(), e);
    }
  }

  /// The client's certificate in PEM, without others that its file contains; empty when it has
  /// none.
  static String certificate(Config config) {
    try {
      byte[] pem = read(config.getClientCertData(), config.getClientCertFile());
      return pem == null
          ? ""
          : PemBlocks.encode(PemBlocks.CERTIFICATE, certificates(pem).getFirst().getEncoded());
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "the client certificate cannot be read: " + e.getMessage(), e);
    }
  }

  static String authority(Config config) {
    try {
      byte[] pem = read(config.getCaCertData(), config.getCaCertFile());
      return pem == null ? "" : new String(pem, StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// At least one.
  private static List<X509Certificate> certificates(byte[] pem) throws CertificateException {
    List<X509Certificate> found = KeyMaterial.certificates(pem);
    if (found.isEmpty()) {
      throw new CertificateException("there is no CERTIFICATE block in PEM");
    }
    return found;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static byte @Nullable [] read(@Nullable String base64, @Nullable String file)
      throws IOException {
    if (base64 != null && !base64.isEmpty()) {
      return Base64.getMimeDecoder().decode(base64);
    }
    return file == null || file.isEmpty() ? null : Files.readAllBytes(Path.of(file));
  }
}
