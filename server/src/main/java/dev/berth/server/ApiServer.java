package dev.berth.server;

import dev.berth.api.certificates.CertificateRequest;
import dev.berth.api.certificates.CertificateSigner;
import dev.berth.api.certificates.ServerNames;
import dev.berth.server.encryption.ValueEncryption;
import dev.berth.server.http.ApiHandlers;
import dev.berth.server.http.transport.HttpsListener;
import dev.berth.server.http.transport.LocalConnection;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.ClusterPki;
import dev.berth.server.pki.KeyAndCertificate;
import dev.berth.server.pki.KubeconfigFile;
import dev.berth.server.pki.PkiException;
import dev.berth.server.resources.objects.ObjectCodec;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.system.ServerEndpoints;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.store.Store;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running API server. Closing it ends every stream and frees the port.
public final class ApiServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ApiServer.class);

  private final HttpsListener listener;
  private final ApiHandlers handlers;
  private final Store<StoredObject> store;
  private final ClusterPki pki;

  /// The last written kubeconfig; null until a write succeeds. Volatile because start and periodic
  /// renewal run on different threads.
  private volatile @Nullable Written written;

  private final Path kubeconfig;
  private final String url;
  private final ServerEndpoints endpoints;

  private ApiServer(
      HttpsListener listener,
      ApiHandlers handlers,
      Store<StoredObject> store,
      ClusterPki pki,
      @Nullable Written written,
      Path kubeconfig,
      String url,
      ServerEndpoints endpoints) {
    this.listener = listener;
    this.handlers = handlers;
    this.store = store;
    this.pki = pki;
    this.written = written;
    this.kubeconfig = kubeconfig;
    this.url = url;
    this.endpoints = endpoints;
  }

  /// Starts warming up on other threads; called before the settings are read.
  public static void prepare() {
    StartupWarmup.start();
  }

  /// Starts a server and returns when it serves requests.
  ///
  /// @param openStore opens the store with the given decoder; the server closes it
  public static ApiServer start(
      ServerConfig config, Function<ObjectCodec, Store<StoredObject>> openStore, Clock clock)
      throws IOException {
    ObjectSchema schema = ObjectSchema.load();
    ServedKinds kinds = ServedKinds.standard(schema, config.kinds());
    warnOfUnknown(config.encryption(), kinds);
    ObjectCodec codec = new ObjectCodec(kinds.all(), config.encryption());
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
      @Nullable Written written = writeKubeconfig(kubeconfig, url, pki, null);
      ServerConfig.Network network = config.network();
      ServerEndpoints endpoints =
          handlers.announce(
              AdvertisedAddress.of(listener.address(), network.advertised()),
              network.services().first());
      return new ApiServer(listener, handlers, store, pki, written, kubeconfig, url, endpoints);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /// Without this check the objects of a misspelled resource would silently stay unencrypted.
  private static void warnOfUnknown(ValueEncryption encryption, ServedKinds kinds) {
    Set<String> buckets =
        kinds.all().stream().map(ResourceKind::bucket).collect(Collectors.toSet());
    List<String> unknown = encryption.unknown(buckets);
    if (!unknown.isEmpty()) {
      log.warn(
          "--encryption-provider-config contains resources that are not served names={}", unknown);
    }
  }

  private static String url(InetSocketAddress address) {
    String host = reachable(address.getAddress());
    return "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /// Clients cannot connect to the wildcard address; this machine can use its own loopback.
  private static String reachable(InetAddress address) {
    return address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
  }

  public String url() {
    return url;
  }

  /// The registry behind `/metrics`; other parts of the process may register metrics too.
  public PrometheusRegistry metrics() {
    return handlers.metrics();
  }

  /// The number of connected clients.
  public int connections() {
    return listener.connections();
  }

  /// The administrator's kubeconfig.
  public Path kubeconfig() {
    return kubeconfig;
  }

  /// The CA certificate of the server, in PEM.
  public String authorityPem() {
    return pki.authorityPem();
  }

  /// The names and addresses of the API server, which no node may have.
  public ServerNames names() {
    return pki.serverNames();
  }

  /// Signs an approved CertificateSigningRequest; returns PEM.
  public String sign(
      CertificateSigner by, CertificateRequest request, List<String> usages, Duration lifetime) {
    return pki.sign(by, request, usages, lifetime);
  }

  /// A client certificate for one of the cluster's own components.
  public KeyAndCertificate credential(ClientIdentity component) {
    return pki.client(component);
  }

  /// A connection to this server for a component in the same process, without a socket.
  public LocalConnection connect(KeyAndCertificate component, String userAgent) {
    return listener.local(component.certificate(), userAgent);
  }

  /// Renews certificates that expire soon, the administrator's included, and reloads those that
  /// others renew; called periodically, for example hourly.
  public void renewCertificates() {
    pki.renew();
    written = writeKubeconfig(kubeconfig, url, pki, written);
  }

  /// The content of the administrator's kubeconfig, except the address.
  private record Written(KeyAndCertificate admin, String authorityPem) {
    boolean isStill(Written other) {
      return admin.certificate().equals(other.admin.certificate())
          && authorityPem.equals(other.authorityPem);
    }
  }

  /// The written content; null when the write failed and must be retried.
  private static @Nullable Written writeKubeconfig(
      Path file, String url, ClusterPki pki, @Nullable Written before) {
    Written now = new Written(pki.client(ClientIdentity.ADMIN), pki.authorityPem());
    if (before != null && before.isStill(now)) {
      return before;
    }
    try {
      KubeconfigFile.write(file, url, now.authorityPem(), "kubernetes-admin", now.admin());
      return now;
    } catch (PkiException e) {
      if (!Files.exists(file)) {
        throw e;
      }
      // The old file may still work and other clients have their own, so a server with a full disk
      // continues.
      log.warn("cannot update the administrator's kubeconfig reason=\"{}\"", e.problem());
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    handlers.endStreams();
    try {
      endpoints.close();
      listener.close();
    } finally {
      handlers.endAudit();
      store.close();
    }
  }
}
