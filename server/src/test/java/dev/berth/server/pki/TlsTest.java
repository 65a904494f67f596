package dev.berth.server.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Handshakes in memory between our context and one of the JDK's own making.
class TlsTest {
  private final Clock clock = Clock.systemUTC();
  @TempDir Path directory;

  @Test
  void serverSeesTheClientsCertificate() throws Exception {
    ClusterPki pki = ClusterPki.open(directory, clock, List.of());
    KeyAndCertificate admin = pki.client(ClientIdentity.ADMIN);
    SSLEngine server = serverEngine(pki);
    shakeHands(clientEngine(pki, admin), server);

    assertThat(server.getSession().getPeerCertificates()).containsExactly(admin.certificate());
  }

  @Test
  void renewedCertificateIsPresentedFromTheNextHandshakeOn() throws Exception {
    MovableClock movable = new MovableClock(clock.instant().minus(Duration.ofDays(300)));
    ClusterPki pki = ClusterPki.open(directory, movable, List.of());
    X509Certificate first = pki.servingCertificate();
    KeyAndCertificate admin = pki.client(ClientIdentity.ADMIN);
    SSLContext context = pki.serverContext();
    SSLEngine before = clientEngine(pki, admin);
    shakeHands(before, serverEngine(context));
    assertThat(before.getSession().getPeerCertificates()).containsExactly(first);

    movable.advance(Duration.ofDays(300));
    assertThat(pki.renew()).isTrue();
    SSLEngine after = clientEngine(pki, admin);
    shakeHands(after, serverEngine(context));
    assertThat(after.getSession().getPeerCertificates())
        .containsExactly(pki.servingCertificate())
        .doesNotContain(first);
  }

  @Test
  void strangersGetThroughTheHandshakeToBeToldWhyTheyAreRefused(@TempDir Path elsewhere)
      throws Exception {
    ClusterPki pki = ClusterPki.open(directory, clock, List.of());
    ClusterPki foreign = ClusterPki.open(elsewhere, clock, List.of());
    KeyAndCertificate stranger = foreign.client(ClientIdentity.ADMIN);
    SSLEngine server = serverEngine(pki);
    shakeHands(clientEngine(pki, stranger), server);

    assertThat(server.getSession().getPeerCertificates()).containsExactly(stranger.certificate());
  }

  private static SSLEngine serverEngine(ClusterPki pki) {
    return serverEngine(pki.serverContext());
  }

  private static SSLEngine serverEngine(SSLContext context) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setWantClientAuth(true);
    return engine;
  }

  private static SSLEngine clientEngine(ClusterPki pki, KeyAndCertificate credential)
      throws Exception {
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry("ca", pki.authority());
    TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
    trustManagers.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(new KeyManager[] {new Always(credential)}, trustManagers.getTrustManagers(), null);
    SSLEngine engine = context.createSSLEngine("localhost", 0);
    engine.setUseClientMode(true);
    var parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    return engine;
  }

  private static void shakeHands(SSLEngine client, SSLEngine server) throws SSLException {
    ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
    ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
    client.beginHandshake();
    server.beginHandshake();
    for (int round = 0; round < 100 && !(done(client) && done(server)); round++) {
      step(client, toClient, toServer);
      step(server, toServer, toClient);
    }
    assertThat(done(client) && done(server)).as("handshake finished").isTrue();
  }

  private static boolean done(SSLEngine engine) {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }

  private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    ByteBuffer scratch = ByteBuffer.allocate(1 << 16);
    switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> {
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
          task.run();
          task = engine.getDelegatedTask();
        }
      }
      case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
        in.flip();
        engine.unwrap(in, scratch);
        in.compact();
      }
      case NOT_HANDSHAKING, FINISHED -> {}
    }
  }

  /// Offers one certificate whatever issuers the server says it accepts.
  private static final class Always extends X509ExtendedKeyManager {
    private final KeyAndCertificate credential;

    Always(KeyAndCertificate credential) {
      this.credential = credential;
    }

    @Override
    public String chooseEngineClientAlias(
        String[] keyType, Principal @Nullable [] issuers, SSLEngine engine) {
      return "me";
    }

    @Override
    public String chooseClientAlias(
        String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return "me";
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return new X509Certificate[] {credential.certificate()};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return credential.key();
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {"me"};
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
}
