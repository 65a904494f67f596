package dev.berth.api.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.DnsNames;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides which names and addresses the serving certificate of one node may carry.
///
/// A node writes its own Node object, so that an address in it counts only if no other Node, no
/// Service and not the API server has it.
///
/// @param node its name
/// @param own the addresses of the node
/// @param taken the addresses of other nodes and Services
public record NodeServingNames(
    String node, Set<String> own, Set<String> taken, ServerNames server) {
  /// Maximum number of names in a request, more than any machine needs; upstream's kubelet requests
  /// a handful.
  public static final int MOST = 16;

  public NodeServingNames {
    own = Set.copyOf(own);
    taken = Set.copyOf(taken);
  }

  /// The names and addresses by the objects of the cluster.
  ///
  /// @param connected the address from which the node connects; null where it is unknown
  public static NodeServingNames of(
      String node,
      Iterable<? extends JsonNode> nodes,
      Iterable<? extends JsonNode> services,
      ServerNames server,
      @Nullable InetAddress connected) {
    Set<String> own = new HashSet<>();
    Set<String> taken = new HashSet<>();
    if (connected != null) {
      own.add(connected.getHostAddress());
    }
    for (JsonNode one : nodes) {
      boolean self = one.path("metadata").path("name").asText().equals(node);
      for (JsonNode address : one.path("status").path("addresses")) {
        literal(address.path("address").asText())
            .ifPresent(found -> (self ? own : taken).add(found.getHostAddress()));
      }
    }
    services.forEach(service -> addAddresses(service, taken));
    return new NodeServingNames(node, own, taken, server);
  }

  private static void addAddresses(JsonNode service, Set<String> into) {
    List<JsonNode> all = new ArrayList<>(List.of(service.path("spec").path("clusterIP")));
    service.path("spec").path("clusterIPs").forEach(all::add);
    service.path("spec").path("externalIPs").forEach(all::add);
    service
        .path("status")
        .path("loadBalancer")
        .path("ingress")
        .forEach(ingress -> all.add(ingress.path("ip")));
    for (JsonNode text : all) {
      literal(text.asText()).ifPresent(address -> into.add(address.getHostAddress()));
    }
  }

  /// The names that the node gets without a request: its own name, unless the API server has it as
  /// well.
  public List<String> always() {
    return server.covers(node) ? List.of() : List.of(node);
  }

  /// Why a request is refused, one sentence for each name; empty when all names are allowed.
  public List<String> refusals(Collection<String> requested) {
    if (requested.size() > MOST) {
      return List.of(
          "%d names are requested, at most %d are allowed".formatted(requested.size(), MOST));
    }
    List<String> refusals = new ArrayList<>();
    for (String name : requested) {
      Optional<InetAddress> address = literal(name);
      Optional<String> refusal = address.isPresent() ? refusal(address.get()) : refusal(name);
      refusal.ifPresent(why -> refusals.add("\"%s\" %s".formatted(shortened(name), why)));
    }
    return refusals;
  }

  private Optional<String> refusal(String host) {
    if (!DnsNames.isSubdomain(host)) {
      return Optional.of("is neither an IP address nor a DNS name (wildcards are not allowed)");
    }
    if (server.covers(host)) {
      return Optional.of("is a name of the API server");
    }
    return host.equals(node)
        ? Optional.empty()
        : Optional.of("is not the name of the node (allowed: \"%s\")".formatted(node));
  }

  private Optional<String> refusal(InetAddress address) {
    String text = address.getHostAddress();
    if (address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || address.isLinkLocalAddress()
        || address.isMulticastAddress()) {
      return Optional.of("is not an address of one machine alone");
    }
    if (server.addresses().contains(text)) {
      return Optional.of("is an address of the API server");
    }
    if (taken.contains(text)) {
      return Optional.of("is an address of another node or of a Service");
    }
    return own.contains(text)
        ? Optional.empty()
        : Optional.of(
            "is neither in status.addresses of the Node object nor the address from which the"
                + " request came");
  }

  private static String shortened(String name) {
    return name.length() <= DnsNames.LONGEST_SUBDOMAIN
        ? name
        : name.substring(0, DnsNames.LONGEST_SUBDOMAIN) + "...";
  }

  /// Addresses with a scope (`fe80::1%eth0`) have no form in a certificate.
  private static Optional<InetAddress> literal(String text) {
    try {
      return text.contains("%") ? Optional.empty() : Optional.of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
