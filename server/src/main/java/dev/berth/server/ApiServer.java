package dev.berth.server;

import dev.berth.server.http.ApiHandlers;
import dev.berth.server.http.HttpsListener;
import dev.berth.server.kinds.Kinds;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.ClusterPki;
import dev.berth.server.pki.Kubeconfig;
import dev.berth.server.resources.ObjectCodec;
import dev.berth.server.resources.StoredObject;
import dev.berth.server.schema.Schema;
import dev.berth.store.Store;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.function.Function;

/// A running API server; closing it ends every stream and frees the port.
public final class ApiServer implements AutoCloseable {
  private final HttpsListener listener;
  private final ApiHandlers handlers;
  private final Store<StoredObject> store;
  private final Path kubeconfig;
  private final String url;

  private ApiServer(
      HttpsListener listener,
      ApiHandlers handlers,
      Store<StoredObject> store,
      Path kubeconfig,
      String url) {
    this.listener = listener;
    this.handlers = handlers;
    this.store = store;
    this.kubeconfig = kubeconfig;
    this.url = url;
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
      ClusterPki pki =
          ClusterPki.open(
              config.dataDir().resolve("pki"),
              clock,
              List.of(config.bindAddress().getHostAddress()));
      ApiHandlers handlers = ApiHandlers.create(schema, kinds, store, codec, pki, clock);
      HttpsListener listener =
          new HttpsListener(
              new InetSocketAddress(config.bindAddress(), config.port()),
              pki.serverContext(),
              handlers.handler());
      listener.start();
      String url = url(listener.address());
      Path kubeconfig = config.dataDir().resolve("admin.kubeconfig");
      Kubeconfig.write(
          kubeconfig,
          url,
          pki.authorityPem(),
          "kubernetes-admin",
          pki.client(ClientIdentity.ADMIN));
      return new ApiServer(listener, handlers, store, kubeconfig, url);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static String url(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  public String url() {
    return url;
  }

  /// The administrator's kubeconfig.
  public Path kubeconfig() {
    return kubeconfig;
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
