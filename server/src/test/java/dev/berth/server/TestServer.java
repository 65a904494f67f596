package dev.berth.server;

import dev.berth.relay.AnyCertificate;
import dev.berth.server.http.transport.LocalConnection;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.ClusterPki;
import dev.berth.server.pki.KeyAndCertificate;
import dev.berth.store.StoreLimits;
import dev.berth.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// A real server on a free port of the loopback interface, and clients with different certificates.
public final class TestServer implements AutoCloseable {
  private final ApiServer server;
  private final ClusterPki pki;

  private TestServer(ApiServer server, ClusterPki pki) {
    this.server = server;
    this.pki = pki;
  }

  public static TestServer start(Path dataDir) throws IOException {
    return start(dataDir, KindOptions.STANDARD);
  }

  public static TestServer start(Path dataDir, KindOptions kinds) throws IOException {
    return start(dataDir, config -> config.with(kinds));
  }

  public static TestServer start(Path dataDir, UnaryOperator<ServerConfig> changes)
      throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    ApiServer server =
        ApiServer.start(
            changes.apply(ServerConfig.of(dataDir, loopback, 0)),
            codec -> EmbeddedStore.inMemory(codec, StoreLimits.DEFAULT, Clock.systemUTC()),
            Clock.systemUTC());
    return new TestServer(
        server, ClusterPki.open(dataDir.resolve("pki"), Clock.systemUTC(), List.of("127.0.0.1")));
  }

  public void renewCertificates() {
    server.renewCertificates();
  }

  public String url() {
    return server.url();
  }

  public Path kubeconfig() {
    return server.kubeconfig();
  }

  public int port() {
    return URI.create(server.url()).getPort();
  }

  /// How many clients are connected now.
  public int connections() {
    return server.connections();
  }

  /// The administrator in the server's own process.
  public LocalConnection local() {
    return server.connect(pki.client(ClientIdentity.ADMIN), "test/1");
  }

  /// Somebody in the server's own process whom nothing is granted.
  public LocalConnection local(String name) {
    return server.connect(pki.client(new ClientIdentity(name, name, List.of())), "test/1");
  }

  public HttpClient admin() {
    return client(pki.client(ClientIdentity.ADMIN));
  }

  /// A client with a certificate that nothing is granted to.
  public HttpClient user(String name) {
    return client(pki.client(new ClientIdentity(name, name, List.of())));
  }

  /// A client with the certificate of a node.
  public HttpClient node(String name) {
    return client(pki.client(ClientIdentity.node(name)));
  }

  public HttpClient anonymous() {
    return client(null);
  }

  public HttpClient client(@Nullable KeyAndCertificate credential) {
    return HttpClient.newBuilder()
        .sslContext(tls(credential))
        .version(HttpClient.Version.HTTP_1_1)
        .build();
  }

  /// A side of TLS that believes any server, for tests that look at what it shows.
  public SSLContext trustingTls() {
    return AnyCertificate.context();
  }

  /// The administrator's side of TLS, for tests that speak it themselves.
  public SSLContext adminTls() {
    return tls(pki.client(ClientIdentity.ADMIN));
  }

  /// The side of TLS of a user that nothing is granted to.
  public SSLContext userTls(String name) {
    return tls(pki.client(new ClientIdentity(name, name, List.of())));
  }

  private SSLContext tls(@Nullable KeyAndCertificate credential) {
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(
          credential == null ? null : keys(credential).getKeyManagers(),
          trust(pki.authority()).getTrustManagers(),
          null);
      return tls;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyManagerFactory keys(KeyAndCertificate credential)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "client", credential.key(), new char[0], new Certificate[] {credential.certificate()});
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return factory;
  }

  private static TrustManagerFactory trust(X509Certificate authority)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("ca", authority);
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
