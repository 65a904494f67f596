package dev.berth.registry.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// The certificate authorities of the JDK together with others of an organization.
public final class TrustedAuthorities {
  private TrustedAuthorities() {}

  /// For connections that trust both.
  ///
  /// @param files each with one certificate in PEM or more
  public static SSLContext with(List<Path> files) throws IOException, GeneralSecurityException {
    KeyStore all = KeyStore.getInstance(KeyStore.getDefaultType());
    all.load(null, null);
    int number = 0;
    for (Path file : files) {
      for (Certificate own : certificates(file)) {
        all.setCertificateEntry("own-" + number++, own);
      }
    }
    for (TrustManager manager : managers(null)) {
      if (manager instanceof X509TrustManager usual) {
        for (X509Certificate certificate : usual.getAcceptedIssuers()) {
          all.setCertificateEntry("usual-" + number++, certificate);
        }
      }
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers(all), null);
    return context;
  }

  private static Collection<? extends Certificate> certificates(Path file)
      throws IOException, GeneralSecurityException {
    try (InputStream pem = Files.newInputStream(file)) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(pem);
      if (found.isEmpty()) {
        throw new IOException("%s holds no certificate in PEM".formatted(file));
      }
      return found;
    }
  }

  private static TrustManager[] managers(@Nullable KeyStore store) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }
}
