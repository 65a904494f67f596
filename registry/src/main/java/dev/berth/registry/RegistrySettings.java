package dev.berth.registry;

import dev.berth.registry.transport.ProxySettings;
import dev.berth.registry.transport.RegistryEndpoint;
import dev.berth.registry.transport.RegistryEndpoint.EndpointUse;
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
///   tried: mirrors, then the registry itself; those of `_default` are for hosts that are not
///   there, and a host without any answers where it usually does
/// @param trust null for the authorities of the JDK
/// @param tagLifetime how long a tag is taken to mean what it meant before; zero asks each time, as
///   a request for a fresh tag does
public record RegistrySettings(
    Map<String, List<RegistryEndpoint>> endpoints,
    ProxySelector proxies,
    @Nullable SSLContext trust,
    TransportLimits limits,
    Duration tagLifetime) {
  /// The key of the endpoints of all hosts that have none of their own; no host has this name.
  public static final String OTHER_HOSTS = "_default";

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

  /// Mirrors for a use first, the registry itself at the end.
  List<RegistryEndpoint> endpointsOf(String host, EndpointUse use) {
    List<RegistryEndpoint> configured =
        endpoints.getOrDefault(host, endpoints.getOrDefault(OTHER_HOSTS, List.of()));
    List<RegistryEndpoint> fitting = new ArrayList<>();
    for (RegistryEndpoint endpoint : configured) {
      if (!endpoint.isMirror() || endpoint.uses().contains(use)) {
        fitting.add(endpoint);
      }
    }
    if (fitting.stream().allMatch(RegistryEndpoint::isMirror)) {
      fitting.add(RegistryEndpoint.usual(host));
    }
    return fitting;
  }
}
