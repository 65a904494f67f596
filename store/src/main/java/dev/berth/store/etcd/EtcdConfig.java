package dev.berth.store.etcd;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The addresses of etcd and the timeouts of requests to it.
///
/// @param endpoints the members as URLs, `http://127.0.0.1:2379` or `https://...`
/// @param prefix the prefix of all keys of this store; others may share the etcd cluster
/// @param startTimeout how long opening waits for an etcd that does not answer
/// @param requestTimeout after which a write that etcd has not answered counts as failed
/// @param compactEvery how often, and back to when, etcd's history is dropped; zero leaves it to
///   somebody else
public record EtcdConfig(
    List<URI> endpoints,
    String prefix,
    @Nullable EtcdTls tls,
    Duration startTimeout,
    Duration requestTimeout,
    Duration compactEvery) {

  public EtcdConfig {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("no etcd server is named");
    }
    for (URI endpoint : endpoints) {
      check(endpoint, endpoints.getFirst());
    }
    if (prefix.length() < 2 || !prefix.startsWith("/") || !prefix.endsWith("/")) {
      throw new IllegalArgumentException(
          "etcd prefix \"%s\" must begin and end with a slash".formatted(prefix));
    }
    if (tls != null && !isSecure(endpoints.getFirst())) {
      throw new IllegalArgumentException(
          "etcd certificates are given, but %s is not an https:// address"
              .formatted(endpoints.getFirst()));
    }
  }

  public static EtcdConfig of(List<String> endpoints) {
    return new EtcdConfig(
        endpoints.stream().map(URI::create).toList(),
        "/berth/",
        null,
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        Duration.ofMinutes(5));
  }

  public EtcdConfig withPrefix(String prefix) {
    return new EtcdConfig(endpoints, prefix, tls, startTimeout, requestTimeout, compactEvery);
  }

  public EtcdConfig withTls(@Nullable EtcdTls tls) {
    return new EtcdConfig(endpoints, prefix, tls, startTimeout, requestTimeout, compactEvery);
  }

  public EtcdConfig withTimeouts(Duration startTimeout, Duration requestTimeout) {
    return new EtcdConfig(endpoints, prefix, tls, startTimeout, requestTimeout, compactEvery);
  }

  public EtcdConfig withCompaction(Duration compactEvery) {
    return new EtcdConfig(endpoints, prefix, tls, startTimeout, requestTimeout, compactEvery);
  }

  private static void check(URI endpoint, URI first) {
    boolean known = "http".equals(endpoint.getScheme()) || isSecure(endpoint);
    if (!known || endpoint.getHost() == null || endpoint.getPort() < 1) {
      throw new IllegalArgumentException(
          "etcd server \"%s\" is not of the form http://HOST:PORT or https://HOST:PORT"
              .formatted(endpoint));
    }
    if (isSecure(endpoint) != isSecure(first)) {
      throw new IllegalArgumentException(
          "etcd servers %s and %s do not agree on http or https".formatted(first, endpoint));
    }
  }

  private static boolean isSecure(URI endpoint) {
    return "https".equals(endpoint.getScheme());
  }

  boolean secure() {
    return isSecure(endpoints.getFirst());
  }

  /// The members' addresses, as messages name them.
  String servers() {
    return String.join(", ", endpoints.stream().map(URI::toString).toList());
  }
}
