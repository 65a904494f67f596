package dev.berth.server;

import dev.berth.server.http.ApiHandlers;
import dev.berth.server.http.HttpsListener;
import dev.berth.server.kinds.Kinds;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.ClusterPki;
import dev.berth.server.pki.Credential;
import dev.berth.server.pki.Kubeconfig;
import dev.berth.server.resources.ObjectCodec;
import dev.berth.server.resources.StoredObject;
import dev.berth.server.schema.Schema;
import dev.berth.store.Store;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A running API server; closing it ends every stream and frees the port.
public final class ApiServer implements AutoCloseable {
  private final HttpsListener listener;
  private final ApiHandlers handlers;
  private final Store<StoredObject> store;
  private final ClusterPki pki;
  private volatile Credential admin;
  private final Path kubeconfig;
  private final String url;

  private ApiServer(
      HttpsListener listener,
      ApiHandlers handlers,
      Store<StoredObject> store,
      ClusterPki pki,
      Credential admin,
      Path kubeconfig,
      String url) {
    this.listener = listener;
    this.handlers = handlers;
    this.store = store;
    this.pki = pki;
    this.admin = admin;
    this.kubeconfig = kubeconfig;
    this.url = url;
  }

  /// Begins, on other threads, with what a start needs whatever the settings are. To be called
  /// before the settings are read.
  public static void prepare() {
    Ahead.start();
  }

  /// Starts a server; when this returns, requests are answered.
  ///
  /// @param openStore opens the store with the decoder that it needs; the server closes it
  public static ApiServer start(
      ServerConfig config, Function<ObjectCodec, Store<StoredObject>> openStore, Clock clock)
      throws IOException {
    Schema schema = Schema.load();
    Kinds kinds = Kinds.standard(schema, config.kinds());
    ObjectCodec codec = new ObjectCodec(kinds.all());
    Store<StoredObject> store = openStore.apply(codec);
    try {
      ClusterPki pki = ClusterPki.open(config.pki(), clock);
      ApiHandlers handlers =
          ApiHandlers.create(schema, kinds, store, codec, pki, config.http(), clock);
      HttpsListener listener =
          new HttpsListener(
              new InetSocketAddress(config.bindAddress(), config.port()),
              pki.serverContext(reachable(config.bindAddress())),
              config.http().limits(),
              handlers.handler());
      listener.start();
      String url = url(listener.address());
      Path kubeconfig = config.dataDir().resolve("admin.kubeconfig");
      Credential admin = writeKubeconfig(kubeconfig, url, pki, null);
      return new ApiServer(listener, handlers, store, pki, admin, kubeconfig, url);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static String url(InetSocketAddress address) {
    String host = reachable(address.getAddress());
    return "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /// A client cannot connect to "all addresses"; this machine can use its own loopback.
  private static String reachable(InetAddress address) {
    return address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
  }

  public String url() {
    return url;
  }

  /// What `/metrics` shows; other parts of the process may add to it.
  public PrometheusRegistry metrics() {
    return handlers.metrics();
  }

  /// How many clients are connected now.
  public int connections() {
    return listener.connections();
  }

  /// The administrator's kubeconfig.
  public Path kubeconfig() {
    return kubeconfig;
  }

  /// The authority that signed the server's certificate, in PEM.
  public String authorityPem() {
    return pki.authorityPem();
  }

  /// A client certificate for one of the cluster's own components.
  public Credential credential(ClientIdentity component) {
    return pki.client(component);
  }

  /// Replaces certificates that near their end, the administrator's included; to be called now and
  /// then, e.g. hourly.
  public void renewCertificates() {
    pki.renew();
    admin = writeKubeconfig(kubeconfig, url, pki, admin);
  }

  private static Credential writeKubeconfig(
      Path file, String url, ClusterPki pki, @Nullable Credential written) {
    Credential credential = pki.client(ClientIdentity.ADMIN);
    if (written == null || !written.certificate().equals(credential.certificate())) {
      Kubeconfig.write(file, url, pki.authorityPem(), "kubernetes-admin", credential);
    }
    return credential;
  }

  @Override
  public void close() throws IOException {
    handlers.endStreams();
    try {
      listener.close();
    } finally {
      store.close();
    }
  }
}
