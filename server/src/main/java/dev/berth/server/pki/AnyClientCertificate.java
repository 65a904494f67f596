package dev.berth.server.pki;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Accepts every client certificate in the TLS handshake, which proves that the client has its key.
///
/// The authenticator validates the certificate per request: an unknown or expired certificate then
/// gets a 401 with a message instead of a broken connection.
final class AnyClientCertificate extends X509ExtendedTrustManager {
  private final Supplier<List<X509Certificate>> authorities;

  /// @param authorities the advertised authorities, which may change
  AnyClientCertificate(Supplier<List<X509Certificate>> authorities) {
    this.authorities = authorities;
  }

  /// The authorities that the server advertises. Many clients, kubectl for example, do not send a
  /// certificate of an authority that is missing here.
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authorities.get().toArray(X509Certificate[]::new);
  }

  /// Nothing is checked here on purpose; `ClientCertificates` decides per request.
  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType) {}

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String authType, @Nullable Socket socket) {}

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("this context is for serving only");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }
}
