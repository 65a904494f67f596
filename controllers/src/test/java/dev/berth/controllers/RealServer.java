package dev.berth.controllers;

import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerConfig;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.ClusterPki;
import dev.berth.server.pki.KeyAndCertificate;
import dev.berth.server.resources.objects.ObjectCodec;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.store.Store;
import dev.berth.store.StoreLimits;
import dev.berth.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.function.Function;

/// Our own API server on a free port, and clients for it.
final class RealServer implements AutoCloseable {
  private final ApiServer server;
  private final ClusterPki pki;

  private RealServer(ApiServer server, ClusterPki pki) {
    this.server = server;
    this.pki = pki;
  }

  /// A server whose objects are gone when it is closed.
  static RealServer inMemory(Path directory) throws IOException {
    return start(
        directory,
        0,
        codec -> EmbeddedStore.inMemory(codec, StoreLimits.DEFAULT, Clock.systemUTC()));
  }

  /// A server that finds its objects again.
  static RealServer durable(Path directory, int port) throws IOException {
    return start(
        directory,
        port,
        codec -> EmbeddedStore.open(directory, codec, StoreLimits.DEFAULT, Clock.systemUTC()));
  }

  private static RealServer start(
      Path directory, int port, Function<ObjectCodec, Store<StoredObject>> store)
      throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    ServerConfig config = ServerConfig.of(directory, loopback, port);
    ApiServer server = ApiServer.start(config, store, Clock.systemUTC());
    return new RealServer(
        server, ClusterPki.open(directory.resolve("pki"), Clock.systemUTC(), List.of()));
  }

  ApiClient admin() {
    return ApiClient.open(ClientConfig.fromKubeconfig(server.kubeconfig()));
  }

  ClientConfig as(ClientIdentity identity) {
    KeyAndCertificate credential = pki.client(identity);
    return ClientConfig.of(
        URI.create(server.url()),
        pki.authorityPem(),
        credential.certificatePem(),
        credential.keyPem());
  }

  String url() {
    return server.url();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
