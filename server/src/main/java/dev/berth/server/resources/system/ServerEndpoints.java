package dev.berth.server.resources.system;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.ResourceVerbs;
import dev.berth.server.resources.objects.ObjectMetadata;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.requests.AdmissionWarnings;
import dev.berth.server.resources.requests.DeleteOptions;
import dev.berth.server.resources.requests.PatchBody;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.WriteOptions;
import dev.berth.store.StoreUnavailableException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Maintains `default/kubernetes`, the Service and the Endpoints by which programs in a cluster
/// find its API servers, and restores it after changes by others.
///
/// Each server of a shared store renews a Lease, as upstream's do in etcd; an address without a
/// renewed Lease is removed from the Endpoints. Berth carries no Service traffic: an annotation
/// lets its agents give pods the server's own address.
///
/// `start` runs on the caller's thread, all later rounds on one thread of its own. A failed round
/// changes nothing and is repeated after the period; only the first failure in a row is logged. The
/// objects are written by server-side apply, so an unchanged round writes nothing.
public final class ServerEndpoints implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ServerEndpoints.class);
  private static final String NAMESPACE = "default";
  private static final String NAME = "kubernetes";
  private static final String ROUTED = "berth.dev/cluster-ip-routed";

  /// Upstream's period.
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private static final UserInfo SERVER = UserInfo.of("system:apiserver", UserInfo.MASTERS);
  private static final WriteOptions OPTIONS =
      new WriteOptions(false, "berth-server", WriteOptions.FieldValidation.STRICT, true);

  private final ResourceVerbs verbs;
  private final ServedKinds kinds;
  private final ServerLeases leases;
  private final InetSocketAddress own;
  private final String serviceAddress;
  private final boolean isShared;
  private final InstantSource clock;
  private final Thread thread;
  private boolean isSound = true; // of the thread
  private long lastLook; // confined to the thread, and to close() after its end

  /// Prepares the endpoints of one server; {@link #start} writes them.
  ///
  /// @param own the advertised address of this server
  /// @param serviceAddress cluster IP, the same for all servers of one store
  /// @param isShared whether other servers may use the same store
  public ServerEndpoints(
      ObjectStore store,
      ServedKinds kinds,
      ResourceVerbs verbs,
      InetSocketAddress own,
      String serviceAddress,
      boolean isShared,
      InstantSource clock) {
    this.verbs = verbs;
    this.kinds = kinds;
    this.own = own;
    this.serviceAddress = serviceAddress;
    this.isShared = isShared;
    this.clock = clock;
    this.leases = new ServerLeases(store, kinds, own, clock);
    this.thread = Thread.ofVirtual().name("server-endpoints").unstarted(this::run);
  }

  /// Writes the objects once before it returns, if the store accepts writes.
  public void start() {
    reconcile(System.nanoTime());
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(PERIOD);
        reconcile(System.nanoTime());
      }
    } catch (InterruptedException _) {
      // The loop was closed.
    }
  }

  void reconcile(long now) {
    lastLook = now;
    try {
      SortedSet<String> servers = new TreeSet<>();
      if (isShared) {
        write("leases.coordination.k8s.io", leases.renewed());
        // Any server may remove the Lease of a dead one; a second removal finds nothing.
        leases.dead(now).forEach(this::removeLease);
        servers.addAll(leases.live(now));
      } else {
        servers.add(ServerLeases.text(own));
      }
      writeService(service(port(servers.getFirst())));
      write("endpoints", endpoints(servers));
      isSound = true;
    } catch (ApiException | StoreUnavailableException e) {
      if (isSound) {
        log.warn(
            "cannot write default/kubernetes, the server retries every {} s reason={}",
            PERIOD.toSeconds(),
            e.getMessage());
      }
      isSound = false;
    }
  }

  /// A Service's address is immutable. After a change of the service range the Service is replaced;
  /// upstream leaves that to the administrator.
  private void writeService(ObjectNode service) {
    try {
      write("services", service);
    } catch (ApiException e) {
      if (e.status().code() != 422) {
        throw e;
      }
      log.warn(
          "the address of the Service default/kubernetes changes, it is replaced address={}",
          serviceAddress);
      ResourceKind kind = kinds.bucket("services").orElseThrow();
      verbs.deleter().delete(target(kind, NAMESPACE, NAME), DeleteOptions.NOW);
      write("services", service);
    }
  }

  /// @param port must be the same for all servers
  private ObjectNode service(int port) {
    ObjectNode service = object("v1", "Service");
    service
        .withObject("/metadata/labels")
        .put("component", "apiserver")
        .put("provider", "kubernetes");
    service.withObject("/metadata/annotations").put(ROUTED, "false");
    ObjectNode spec = service.putObject("spec");
    spec.put("clusterIP", serviceAddress).putArray("clusterIPs").add(serviceAddress);
    spec.putArray("ports")
        .addObject()
        .put("name", "https")
        .put("protocol", "TCP")
        .put("port", 443)
        .put("targetPort", port);
    return service;
  }

  /// Endpoints cannot hold loopback addresses, which only the machine itself reaches.
  private static ObjectNode endpoints(SortedSet<String> servers) {
    ObjectNode endpoints = object("v1", "Endpoints");
    endpoints.withObject("/metadata/labels").put("endpointslice.kubernetes.io/skip-mirror", "true");
    ArrayNode subsets = endpoints.putArray("subsets");
    for (String server : servers) {
      String address = server.substring(0, server.lastIndexOf(':'));
      if (!ServerLeases.isLoopback(address)) {
        ObjectNode subset = subsets.addObject();
        subset.putArray("addresses").addObject().put("ip", address);
        subset
            .putArray("ports")
            .addObject()
            .put("name", "https")
            .put("port", port(server))
            .put("protocol", "TCP");
      }
    }
    return endpoints;
  }

  private static int port(String server) {
    return Integer.parseInt(server.substring(server.lastIndexOf(':') + 1));
  }

  private static ObjectNode object(String apiVersion, String kind) {
    ObjectNode object = JsonTrees.object().put("apiVersion", apiVersion).put("kind", kind);
    object.putObject("metadata").put("namespace", NAMESPACE).put("name", NAME);
    return object;
  }

  /// Applies an object: fields that others added stay, and an unchanged object is not written.
  private void write(String bucket, ObjectNode object) {
    verbs.freshness().awaitNewest();
    verbs
        .applier()
        .apply(
            target(
                kinds.bucket(bucket).orElseThrow(),
                ObjectMetadata.text(object, "namespace"),
                ObjectMetadata.text(object, "name")),
            new PatchBody(PatchBody.Type.APPLY, object, List.of()),
            OPTIONS);
  }

  private void removeLease(String name) {
    try {
      verbs
          .deleter()
          .delete(target(leases.kind(), ServerLeases.NAMESPACE, name), DeleteOptions.NOW);
    } catch (ApiException e) {
      if (e.status().code() != 404) {
        throw e;
      }
    }
  }

  private RequestTarget target(ResourceKind kind, String namespace, String name) {
    return new RequestTarget(
        kind,
        kind.storedVersion(),
        namespace,
        name,
        "",
        SERVER,
        new AdmissionWarnings(),
        clock.instant());
  }

  /// Removes this server's Lease and address at once.
  @Override
  public void close() {
    thread.interrupt();
    try {
      if (thread.isAlive()) {
        // The loop must have ended: it could write the Lease again after its removal.
        thread.join();
      }
      if (isShared) {
        removeLease(leases.ownName());
        write("endpoints", endpoints(leases.live(lastLook)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ApiException | StoreUnavailableException e) {
      log.debug(
          "cannot remove this server's address from default/kubernetes before it expires reason={}",
          e.getMessage());
    }
  }
}
