package dev.berth.server.resources.system;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.ScalarForms;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.store.StoreEntry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// Reads and makes the Leases of servers that share a store: `kube-system/apiserver-HASH`, whose
/// holder is `ADDRESS:PORT`.
///
/// Clocks of machines differ, so a server counts as alive while this server observes changes of its
/// Lease.
final class ServerLeases {
  static final String NAMESPACE = "kube-system";
  private static final String LABEL = "apiserver.kubernetes.io/identity";
  private static final String VALUE = "kube-apiserver";

  /// Three periods of {@link ServerEndpoints}: one lost renewal removes no server.
  private static final Duration DURATION = Duration.ofSeconds(30);

  private final ObjectStore store;
  private final ResourceKind kind;
  private final InetSocketAddress own;
  private final InstantSource clock;

  /// The last observed state of each Lease and its first observation; confined to the thread of
  /// {@link ServerEndpoints}.
  private final Map<String, Seen> seen = new HashMap<>();

  private record Seen(String renewed, long since) {}

  ServerLeases(ObjectStore store, ServedKinds kinds, InetSocketAddress own, InstantSource clock) {
    this.store = store;
    this.kind = kinds.bucket("leases.coordination.k8s.io").orElseThrow();
    this.own = own;
    this.clock = clock;
  }

  ResourceKind kind() {
    return kind;
  }

  /// The name is the same after a restart at the same address, so a restart leaves no second Lease.
  String ownName() {
    return "apiserver-" + HexFormat.of().toHexDigits(text(own).hashCode());
  }

  /// This server's Lease with the current time.
  ObjectNode renewed() {
    ObjectNode lease =
        JsonTrees.object().put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    ObjectNode metadata = lease.putObject("metadata");
    metadata.put("namespace", NAMESPACE).put("name", ownName());
    metadata.putObject("labels").put(LABEL, VALUE);
    lease
        .putObject("spec")
        .put("holderIdentity", text(own))
        .put("leaseDurationSeconds", DURATION.toSeconds())
        .put("renewTime", ScalarForms.microTime(clock.instant()));
    return lease;
  }

  /// The addresses of live servers; a server that is observed for the first time counts as alive.
  SortedSet<String> live(long now) {
    SortedSet<String> live = new TreeSet<>();
    all()
        .forEach(
            (name, lease) -> {
              if (isLive(name, lease, now)) {
                live.add(lease.path("spec").path("holderIdentity").asText());
              }
            });
    return live;
  }

  /// The names of expired Leases.
  List<String> dead(long now) {
    List<String> dead = new ArrayList<>();
    all()
        .forEach(
            (name, lease) -> {
              if (!isLive(name, lease, now)) {
                dead.add(name);
              }
            });
    return dead;
  }

  private Map<String, ObjectNode> all() {
    Map<String, ObjectNode> all = new HashMap<>();
    for (StoreEntry<StoredObject> entry : store.list(kind, NAMESPACE)) {
      ObjectNode lease = entry.value().tree();
      String holder = lease.path("spec").path("holderIdentity").asText();
      if (lease.path("metadata").path("labels").path(LABEL).asText().equals(VALUE)
          && holder.matches(".+:\\d{1,5}")) {
        all.put(entry.value().name(), lease);
      }
    }
    // Addresses of servers that are gone for good do not pile up.
    seen.keySet().retainAll(all.keySet());
    return all;
  }

  /// Only changes count; the time in the Lease is that of another machine.
  private boolean isLive(String name, ObjectNode lease, long now) {
    String renewed = lease.path("spec").path("renewTime").asText();
    Seen last = seen.get(name);
    if (last == null || !last.renewed().equals(renewed)) {
      seen.put(name, new Seen(renewed, now));
      return true;
    }
    return now - last.since() < DURATION.toNanos();
  }

  static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  static boolean isLoopback(String address) {
    return InetAddress.ofLiteral(address).isLoopbackAddress();
  }
}
