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
  /// @param pem a file with one certificate or more
  public static SSLContext with(Path pem) throws IOException, GeneralSecurityException {
    KeyStore all = KeyStore.getInstance(KeyStore.getDefaultType());
    all.load(null, null);
    int number = 0;
    try (InputStream file = Files.newInputStream(pem)) {
      for (Certificate own : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
        all.setCertificateEntry("own-" + number++, own);
      }
    }
    if (number == 0) {
      throw new IOException("%s holds no certificate in PEM".formatted(pem));
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

  private static TrustManager[] managers(@Nullable KeyStore store) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }
}
