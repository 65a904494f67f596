package dev.berth.registry;

import dev.berth.registry.transport.ProxySettings;
import dev.berth.registry.transport.RegistryEndpoint;
import dev.berth.registry.transport.TransportLimits;
import java.net.ProxySelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// How registries are reached.
///
/// @param endpoints where the registries of references answer, in the order in which they are
///   tried: mirrors, then the registry itself; a host that is not there answers where it usually
///   does
/// @param trust null for the authorities of the JDK
/// @param tagLifetime how long a tag is taken to mean what it meant before; zero asks each time, as
///   a request for a fresh tag does
public record RegistrySettings(
    Map<String, List<RegistryEndpoint>> endpoints,
    ProxySelector proxies,
    @Nullable SSLContext trust,
    TransportLimits limits,
    Duration tagLifetime) {
  /// No mirrors, no proxy, the authorities of the JDK.
  public static final RegistrySettings USUAL =
      new RegistrySettings(
          Map.of(), ProxySettings.direct(), null, TransportLimits.USUAL, Duration.ZERO);

  public RegistrySettings {
    Map<String, List<RegistryEndpoint>> copy = new HashMap<>();
    endpoints.forEach((host, list) -> copy.put(host, List.copyOf(list)));
    endpoints = Map.copyOf(copy);
  }

  public RegistrySettings withEndpoints(Map<String, List<RegistryEndpoint>> others) {
    return new RegistrySettings(others, proxies, trust, limits, tagLifetime);
  }

  public RegistrySettings withProxies(ProxySelector others) {
    return new RegistrySettings(endpoints, others, trust, limits, tagLifetime);
  }

  public RegistrySettings withTrust(SSLContext context) {
    return new RegistrySettings(endpoints, proxies, context, limits, tagLifetime);
  }

  public RegistrySettings withLimits(TransportLimits others) {
    return new RegistrySettings(endpoints, proxies, trust, others, tagLifetime);
  }

  public RegistrySettings withTagLifetime(Duration lifetime) {
    return new RegistrySettings(endpoints, proxies, trust, limits, lifetime);
  }

  /// Mirrors first, the registry itself at the end.
  List<RegistryEndpoint> endpointsOf(String host) {
    List<RegistryEndpoint> configured = endpoints.getOrDefault(host, List.of());
    if (configured.stream().anyMatch(endpoint -> !endpoint.isMirror())) {
      return configured;
    }
    List<RegistryEndpoint> all = new ArrayList<>(configured);
    all.add(RegistryEndpoint.usual(host));
    return all;
  }
}
