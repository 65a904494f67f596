package dev.berth.registry.transport;

import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// The HTTP clients of a transport: one for the endpoints that trust the same authorities, because
/// an authority that is configured for one registry must not vouch for another.
final class ExchangerPool implements AutoCloseable {
  private final TransportLimits limits;
  private final ProxySelector proxies;
  private final @Nullable SSLContext usual;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("registry-", 0).factory());

  private final ReentrantLock lock = new ReentrantLock();

  /// By authorities, null for those of the JDK; as many as the configuration has. Guarded by the
  /// lock.
  private final Map<@Nullable SSLContext, HttpClient> clients = new HashMap<>();

  /// @param usual of endpoints without authorities of their own; null for those of the JDK
  ExchangerPool(TransportLimits limits, ProxySelector proxies, @Nullable SSLContext usual) {
    this.limits = limits;
    this.proxies = proxies;
    this.usual = usual;
  }

  /// What a redirect or the token server of an endpoint is asked with, too.
  HttpExchanger of(RegistryEndpoint endpoint) {
    SSLContext trust = endpoint.trust() == null ? usual : endpoint.trust();
    lock.lock();
    try {
      HttpClient client = clients.get(trust);
      if (client == null) {
        client = open(trust);
        clients.put(trust, client);
      }
      return new HttpExchanger(client, limits);
    } finally {
      lock.unlock();
    }
  }

  private HttpClient open(@Nullable SSLContext trust) {
    // The transport follows redirects, because the client would take the credentials along.
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(limits.connect())
            .proxy(proxies)
            .executor(threads);
    if (trust != null) {
      builder.sslContext(trust);
    }
    return builder.build();
  }

  /// Ends what is on its way.
  @Override
  public void close() {
    lock.lock();
    try {
      clients.values().forEach(HttpClient::shutdownNow);
    } finally {
      lock.unlock();
    }
    threads.shutdownNow();
  }
}
