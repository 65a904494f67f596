package dev.berth.launch.connection;

import dev.berth.client.ApiClient;
import dev.berth.launch.process.Closeables;
import dev.berth.server.ApiServer;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.KeyAndCertificate;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// A component of the control plane as a client of the server in its process. It is started again
/// when its certificate is replaced, so that it never uses one that has expired. Any thread may
/// call it.
public final class RunningComponent implements AutoCloseable {
  private final ApiServer server;
  private final ClientIdentity identity;
  private final String userAgent;
  private final Function<ApiClient, AutoCloseable> starter;

  /// Guards the four fields below.
  private final ReentrantLock lock = new ReentrantLock();

  private KeyAndCertificate credential;
  private String authorities;
  private Closeables closeables;
  private boolean closed;

  public RunningComponent(
      ApiServer server,
      ClientIdentity identity,
      String userAgent,
      Function<ApiClient, AutoCloseable> starter) {
    this.server = server;
    this.identity = identity;
    this.userAgent = userAgent;
    this.starter = starter;
    this.credential = server.credential(identity);
    this.authorities = server.authorityPem();
    this.closeables = start();
  }

  /// Starts the component again when its certificate or the authority of the server has been
  /// replaced: the component trusts that authority, and passes it on.
  public void renew() {
    KeyAndCertificate current = server.credential(identity);
    String trusted = server.authorityPem();
    lock.lock();
    try {
      boolean isSame =
          current.certificate().equals(credential.certificate()) && trusted.equals(authorities);
      if (!closed && !isSame) {
        credential = current;
        authorities = trusted;
        closeables.close();
        closeables = start();
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
      closeables.close();
    } finally {
      lock.unlock();
    }
  }

  private Closeables start() {
    Closeables started = new Closeables();
    ApiClient client = started.add(LocalTransport.client(server, credential, userAgent));
    started.add(starter.apply(client));
    return started;
  }
}
