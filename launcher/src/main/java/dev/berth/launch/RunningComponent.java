package dev.berth.launch;

import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.server.ApiServer;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.Credential;
import java.net.URI;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// A part of the control plane as a client of its server, with a certificate that is still good.
final class RunningComponent implements AutoCloseable {
  private final ApiServer server;
  private final ClientIdentity identity;
  private final String userAgent;
  private final Function<ApiClient, AutoCloseable> starter;

  /// Guards the three fields below.
  private final ReentrantLock lock = new ReentrantLock();

  private Credential credential;
  private Parts parts;
  private boolean closed;

  RunningComponent(
      ApiServer server,
      ClientIdentity identity,
      String userAgent,
      Function<ApiClient, AutoCloseable> starter) {
    this.server = server;
    this.identity = identity;
    this.userAgent = userAgent;
    this.starter = starter;
    this.credential = server.credential(identity);
    this.parts = start();
  }

  /// Starts it again when its certificate has been replaced.
  void renew() {
    Credential current = server.credential(identity);
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
    Parts started = new Parts();
    ApiClient client =
        started.add(
            ApiClient.open(
                ClientConfig.of(
                        URI.create(server.url()),
                        server.authorityPem(),
                        credential.certificatePem(),
                        credential.keyPem())
                    .withUserAgent(userAgent)));
    started.add(starter.apply(client));
    return started;
  }
}
