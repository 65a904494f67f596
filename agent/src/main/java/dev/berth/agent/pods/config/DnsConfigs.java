package dev.berth.agent.pods.config;

import dev.berth.cri.v1.DNSConfig;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodDNSConfig;
import io.fabric8.kubernetes.api.model.PodDNSConfigOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Computes a pod's DNS configuration: of the cluster, of the host, or its own.
final class DnsConfigs {
  private final DnsSettings settings;

  DnsConfigs(DnsSettings settings) {
    this.settings = settings;
  }

  DNSConfig of(Pod pod) {
    ResolvConf all = all(pod);
    return DNSConfig.newBuilder()
        .addAllServers(DnsLimits.servers(all.servers()))
        .addAllSearches(DnsLimits.searches(all.searches()))
        .addAllOptions(all.options())
        .build();
  }

  /// Warnings about entries that exceed the limits of resolvers.
  List<String> warnings(Pod pod) {
    ResolvConf all = all(pod);
    return DnsLimits.warnings(all.servers(), all.searches());
  }

  private ResolvConf all(Pod pod) {
    ResolvConf base =
        switch (policy(pod)) {
          case "None" -> ResolvConf.EMPTY;
          case "ClusterFirst" -> ofCluster(pod.getMetadata().getNamespace());
          default -> ResolvConf.read(settings.hostFile());
        };
    return base.with(own(pod.getSpec().getDnsConfig()));
  }

  private String policy(Pod pod) {
    String asked = Objects.requireNonNullElse(pod.getSpec().getDnsPolicy(), "ClusterFirst");
    boolean cluster =
        asked.equals("ClusterFirstWithHostNet")
            || (asked.equals("ClusterFirst") && !SandboxConfigs.isInHostNetwork(pod));
    if (cluster) {
      return settings.servers().isEmpty() ? "Default" : "ClusterFirst";
    }
    return asked.equals("None") ? asked : "Default";
  }

  private ResolvConf ofCluster(String namespace) {
    String domain = settings.domain();
    List<String> searches =
        new ArrayList<>(List.of(namespace + ".svc." + domain, "svc." + domain, domain));
    searches.addAll(ResolvConf.read(settings.hostFile()).searches());
    return new ResolvConf(settings.servers(), searches, List.of("ndots:5"));
  }

  private static ResolvConf own(@org.jspecify.annotations.Nullable PodDNSConfig config) {
    if (config == null) {
      return ResolvConf.EMPTY;
    }
    return new ResolvConf(
        config.getNameservers(),
        config.getSearches(),
        config.getOptions().stream().map(DnsConfigs::option).toList());
  }

  private static String option(PodDNSConfigOption option) {
    String value = option.getValue();
    return value == null || value.isEmpty() ? option.getName() : option.getName() + ":" + value;
  }

  /// The content of a `resolv.conf`.
  record ResolvConf(List<String> servers, List<String> searches, List<String> options) {
    static final ResolvConf EMPTY = new ResolvConf(List.of(), List.of(), List.of());

    static ResolvConf read(java.nio.file.Path file) {
      try {
        return parse(java.nio.file.Files.readAllLines(file));
      } catch (java.io.IOException _) {
        // Without a `resolv.conf` on the host, its pods get none either.
        return EMPTY;
      }
    }

    static ResolvConf parse(List<String> lines) {
      List<String> servers = new ArrayList<>();
      List<String> searches = new ArrayList<>();
      List<String> options = new ArrayList<>();
      for (String line : lines) {
        List<String> words = List.of(line.strip().split("\\s+"));
        List<String> values = words.subList(1, words.size());
        switch (words.getFirst()) {
          case "nameserver" -> servers.addAll(values);
          case "search" -> {
            searches.clear();
            searches.addAll(values);
          }
          case "options" -> {
            options.clear();
            options.addAll(values);
          }
          default -> {
            // Comments, and options that pods do not get.
          }
        }
      }
      return new ResolvConf(servers, searches, options);
    }

    /// Merges two configurations: servers and searches are appended, options are overridden.
    ResolvConf with(ResolvConf other) {
      Map<String, String> merged = new LinkedHashMap<>();
      options.forEach(option -> merged.put(option.split(":", 2)[0], option));
      other.options.forEach(option -> merged.put(option.split(":", 2)[0], option));
      return new ResolvConf(
          joined(servers, other.servers),
          joined(searches, other.searches),
          List.copyOf(merged.values()));
    }

    private static List<String> joined(List<String> one, List<String> other) {
      var all = new LinkedHashSet<>(one);
      all.addAll(other);
      return List.copyOf(all);
    }
  }
}
