package dev.berth.launch.join;

import dev.berth.api.Problem;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.launch.process.LaunchException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// Fetches the certificate authority of an API server that is not trusted yet, and accepts only one
/// with the expected fingerprint. The token is sent only afterwards, over a verified connection.
public final class PinnedAuthority {
  /// For the whole answer.
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private PinnedAuthority() {}

  /// The authority in PEM.
  static String fetch(URI server, JoinToken token) throws InterruptedException {
    String what = "cannot join " + server;
    try {
      HttpResponse<String> answer =
          new UntrustedServer(PATIENCE).get(server.resolve("/berth.dev/v1/authority"));
      if (answer.statusCode() != 200) {
        throw refused(
            what,
            "it answered the request for its certificate authority with status %d"
                .formatted(answer.statusCode()),
            "Use a token of this form with a Berth API server; with an upstream one use --discovery-token-ca-cert-hash or --kubeconfig");
      }
      String found = JoinToken.fingerprint(KeyMaterial.certificate(answer.body()));
      if (!found.equals(token.fingerprint())) {
        throw refused(
            what,
            "its authority has the fingerprint %s, not %s".formatted(found, token.fingerprint()),
            "Check that this is the right server; the connection may be intercepted");
      }
      return answer.body();
    } catch (ConnectException _) {
      // It has no message when the connection is refused.
      throw refused(
          what,
          "the connection was refused",
          "Check that the server runs, and that its --bind-address can be reached from this machine");
    } catch (IOException | GeneralSecurityException e) {
      throw refused(
          what, String.valueOf(e.getMessage()), "Check that the server runs and can be reached");
    }
  }

  private static LaunchException refused(String what, String why, String remedy) {
    return new LaunchException(new Problem(what, why, remedy));
  }

  /// Accepts any server. No secret may be sent over such a connection, and what it returns must be
  /// verified by other means.
  public static SSLContext anyServer() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Anybody()}, null);
    return context;
  }

  /// Trusts every server. The extended class also switches off the check of the host name, which
  /// the JDK makes for a plain trust manager.
  private static final class Anybody extends X509ExtendedTrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("clients are not trusted here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket)
        throws CertificateException {
      checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
