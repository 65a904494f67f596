package dev.berth.launch;

import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.controllers.Controllers;
import dev.berth.server.ApiServer;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.Credential;
import java.net.URI;
import java.time.Clock;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/// The controllers as clients of a server, with a certificate that is still good.
final class RunningControllers implements AutoCloseable {
  private final ApiServer server;
  private final StoreChoice store;
  private final Clock clock;

  /// Guards the three fields below.
  private final ReentrantLock lock = new ReentrantLock();

  private Credential credential;
  private Parts parts;
  private boolean closed;

  RunningControllers(ApiServer server, StoreChoice store, Clock clock) {
    this.server = server;
    this.store = store;
    this.clock = clock;
    this.credential = server.credential(ClientIdentity.CONTROLLERS);
    this.parts = start();
  }

  /// Starts them again when their certificate has been replaced.
  void renew() {
    Credential current = server.credential(ClientIdentity.CONTROLLERS);
    lock.lock();
    try {
      if (!closed && !current.certificate().equals(credential.certificate())) {
        credential = current;
        parts.close();
        parts = start();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      parts.close();
    } finally {
      lock.unlock();
    }
  }

  private Parts start() {
    String authority = server.authorityPem();
    Parts started = new Parts();
    ApiClient client =
        started.add(
            ApiClient.open(
                ClientConfig.of(
                        URI.create(server.url()),
                        authority,
                        credential.certificatePem(),
                        credential.keyPem())
                    .withUserAgent("berth-controllers")));
    Random random = new Random();
    started.add(
        switch (store) {
          case StoreChoice.Embedded _ -> Controllers.start(client, authority, clock, random);
          // Several servers may share an etcd; the loops run on one of them.
          case StoreChoice.Etcd _ ->
              Controllers.startElected(
                  client, "berth-" + UUID.randomUUID(), authority, clock, random);
        });
    return started;
  }
}
