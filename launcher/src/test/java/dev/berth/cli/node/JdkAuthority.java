package dev.berth.cli.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// A certificate that every JDK has, for tests that need any.
final class JdkAuthority {
  private JdkAuthority() {}

  static Path write(Path file) throws IOException {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init((@Nullable KeyStore) null);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509TrustManager usual) {
          byte[] first = usual.getAcceptedIssuers()[0].getEncoded();
          return Files.writeString(
              file,
              "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
                  .formatted(Base64.getMimeEncoder().encodeToString(first)));
        }
      }
      throw new IOException("the JDK has no authorities");
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }
}
