package dev.berth.client;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// Creates the JDK's HTTP client on virtual threads, and closes it.
///
/// The library's own factory keeps a pool of platform threads and leaves the client's selector
/// thread to the garbage collector.
final class VirtualThreadHttpFactory extends JdkHttpClientFactory implements AutoCloseable {
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kubernetes-http-", 0).factory());

  /// Set when the one client of this factory is built, before anybody else sees it.
  private volatile @Nullable HttpClient built;

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return new RememberingBuilder(HttpClient.newBuilder().executor(threads));
  }

  @Override
  protected void additionalConfig(HttpClient.Builder builder) {
    // The JVM's proxy settings (-Dhttps.proxyHost) apply.
    ProxySelector proxies = ProxySelector.getDefault();
    if (proxies != null) {
      builder.proxy(proxies);
    }
  }

  @Override
  public void close() {
    HttpClient client = built;
    if (client != null) {
      client.shutdownNow();
      client.close();
    }
    threads.shutdownNow();
  }

  /// Delegates every call and keeps the client that is built.
  private final class RememberingBuilder implements HttpClient.Builder {
    private final HttpClient.Builder builder;

    RememberingBuilder(HttpClient.Builder builder) {
      this.builder = builder;
    }

    @Override
    public HttpClient build() {
      HttpClient client = builder.build();
      built = client;
      return client;
    }

    @Override
    public HttpClient.Builder cookieHandler(CookieHandler cookieHandler) {
      builder.cookieHandler(cookieHandler);
      return this;
    }

    @Override
    public HttpClient.Builder connectTimeout(Duration duration) {
      builder.connectTimeout(duration);
      return this;
    }

    @Override
    public HttpClient.Builder sslContext(SSLContext sslContext) {
      builder.sslContext(sslContext);
      return this;
    }

    @Override
    public HttpClient.Builder sslParameters(SSLParameters sslParameters) {
      builder.sslParameters(sslParameters);
      return this;
    }

    @Override
    public HttpClient.Builder executor(Executor executor) {
      builder.executor(executor);
      return this;
    }

    @Override
    public HttpClient.Builder followRedirects(HttpClient.Redirect policy) {
      builder.followRedirects(policy);
      return this;
    }

    @Override
    public HttpClient.Builder version(HttpClient.Version version) {
      builder.version(version);
      return this;
    }

    @Override
    public HttpClient.Builder priority(int priority) {
      builder.priority(priority);
      return this;
    }

    @Override
    public HttpClient.Builder proxy(ProxySelector proxySelector) {
      builder.proxy(proxySelector);
      return this;
    }

    @Override
    public HttpClient.Builder authenticator(Authenticator authenticator) {
      builder.authenticator(authenticator);
      return this;
    }
  }
}
