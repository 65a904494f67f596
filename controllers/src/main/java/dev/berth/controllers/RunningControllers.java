package dev.berth.controllers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.client.DelayedActions;
import dev.berth.client.Informer;
import dev.berth.client.LeaderElection;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ResourceType;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.certificates.CertificateApproval;
import dev.berth.controllers.certificates.CertificateCleanup;
import dev.berth.controllers.certificates.CertificateSigning;
import dev.berth.controllers.certificates.ClusterInfo;
import dev.berth.controllers.certificates.ClusterSigner;
import dev.berth.controllers.daemonsets.DaemonSets;
import dev.berth.controllers.deployments.DeploymentController;
import dev.berth.controllers.gc.GarbageCollector;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerLoop;
import dev.berth.controllers.namespaces.DefaultServiceAccounts;
import dev.berth.controllers.namespaces.NamespaceTermination;
import dev.berth.controllers.namespaces.RootCertificates;
import dev.berth.controllers.namespaces.SystemNamespaces;
import dev.berth.controllers.nodes.AdvertisedRuntimes;
import dev.berth.controllers.nodes.NodeLifecycle;
import dev.berth.controllers.nodes.OrphanedPods;
import dev.berth.controllers.nodes.TaintEviction;
import dev.berth.controllers.quotas.ResourceQuotas;
import dev.berth.controllers.replicasets.ReplicaSets;
import dev.berth.controllers.roles.RoleAggregation;
import dev.berth.controllers.workloads.PodCache;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The running controllers of a control plane, and the caches that several of them share.
///
/// Each loop owns the caches that it alone reads. Shared caches are opened before the loops and
/// closed after them. All loops use the API only, so that they may run in another process than the
/// server.
public final class RunningControllers implements AutoCloseable {
  // Not upstream's `kube-controller-manager`: its controllers and these may run side by side, and
  // each of them is elected for itself.
  private static final ObjectKey LEASE = new ObjectKey("kube-system", "berth-controllers");

  private final Runnable atTheEnd;
  private final Informer<ObjectMetadata> namespaces;
  private final Informer<ObjectNode> nodes;
  private final Informer<ObjectNode> replicaSets;
  private final PodCache pods;
  private final List<ControllerLoop> loops = new ArrayList<>();

  // Only where this process signs; the three loops of certificates share it.
  private @Nullable Informer<ObjectNode> requests;

  private RunningControllers(
      ControllerContext context,
      String authority,
      @Nullable ClusterSigner signer,
      Runnable atTheEnd) {
    this.atTheEnd = atTheEnd;
    this.namespaces =
        context.informer(context.client().metadata(ResourceType.NAMESPACES), ListQuery.ALL);
    this.nodes = context.informer(context.client().json(ResourceType.NODES), ListQuery.ALL);
    this.replicaSets =
        context.informer(context.client().json(ResourceType.REPLICA_SETS), ListQuery.ALL);
    this.pods = new PodCache(context);
    loops.add(new SystemNamespaces(context, namespaces));
    loops.add(DefaultServiceAccounts.start(context, namespaces));
    loops.add(RootCertificates.start(context, namespaces, authority));
    loops.add(new NamespaceTermination(context, namespaces));
    loops.add(new GarbageCollector(context));
    loops.add(new EventExpiry(context));
    loops.add(new AccountTokens(context, authority));
    loops.add(new JoinTokenExpiry(context));
    loops.add(new RoleAggregation(context));
    loops.add(new ResourceQuotas(context));
    loops.add(new NodeLifecycle(context, nodes));
    loops.add(new TaintEviction(context, nodes));
    loops.add(new OrphanedPods(context, nodes, pods));
    loops.add(new AdvertisedRuntimes(context, nodes));
    loops.add(new ReplicaSets(context, replicaSets, pods));
    loops.add(new DeploymentController(context, replicaSets, pods));
    loops.add(new DaemonSets(context, nodes, pods));
    if (signer != null) {
      addCertificates(context, authority, signer);
    }
  }

  /// Adds the loops that need the keys of the cluster's authorities.
  private void addCertificates(ControllerContext context, String authority, ClusterSigner signer) {
    Informer<ObjectNode> known =
        context.informer(
            context.client().json(ResourceType.CERTIFICATE_SIGNING_REQUESTS), ListQuery.ALL);
    requests = known;
    loops.add(new CertificateApproval(context, known, nodes, signer));
    loops.add(new CertificateSigning(context, known, signer));
    loops.add(new CertificateCleanup(context, known));
    loops.add(new ClusterInfo(context, signer.url(), authority));
  }

  /// Starts all controllers and returns at once; they wait for the server themselves.
  ///
  /// @param client stays open when the loops are closed
  /// @param authority the certificate authority of the API server, in PEM
  /// @param random must be safe for many threads, as [java.util.Random] is
  public static RunningControllers start(
      ApiClient client, String authority, InstantSource clock, RandomGenerator random) {
    return start(client, authority, null, clock, random);
  }

  /// Starts the controllers as [#start(ApiClient, String, InstantSource, RandomGenerator)] does,
  /// with the loops for certificates.
  ///
  /// @param signer null where another process signs
  public static RunningControllers start(
      ApiClient client,
      String authority,
      @Nullable ClusterSigner signer,
      InstantSource clock,
      RandomGenerator random) {
    DelayedActions delays = DelayedActions.realTime();
    return new RunningControllers(
        new ControllerContext(client, delays, clock, random), authority, signer, delays::close);
  }

  /// Starts the controllers as [#start(ApiClient, String, InstantSource, RandomGenerator)] does,
  /// with a client of their own and the authority that the configuration trusts.
  public static RunningControllers start(
      ClientConfig config, InstantSource clock, RandomGenerator random) {
    ApiClient client = ApiClient.open(config.withUserAgent("berth-controllers"));
    DelayedActions delays = DelayedActions.realTime();
    return new RunningControllers(
        new ControllerContext(client, delays, clock, random),
        config.authority(),
        null,
        () -> {
          delays.close();
          client.close();
        });
  }

  /// Runs the loops on one of several processes. Two processes never run them at once as long as
  /// their clocks advance at the same rate; preconditions of every write protect the objects beyond
  /// that.
  ///
  /// @param identity of this process, different from that of every other
  public static LeaderElection startElected(
      ApiClient client,
      String identity,
      String authority,
      @Nullable ClusterSigner signer,
      InstantSource clock,
      RandomGenerator random) {
    return LeaderElection.start(
        client,
        LEASE,
        identity,
        LeaderElection.Timing.USUAL,
        clock,
        () -> start(client, authority, signer, clock, random));
  }

  /// The metrics of each controller's queue.
  public Map<String, WorkQueue.Stats> stats() {
    Map<String, WorkQueue.Stats> stats = new LinkedHashMap<>();
    loops.forEach(loop -> stats.put(loop.name(), loop.stats()));
    return stats;
  }

  @Override
  public void close() {
    // Loops before the caches that they read: a loop on a closed cache would see a cluster without
    // objects.
    loops.reversed().forEach(ControllerLoop::close);
    if (requests != null) {
      requests.close();
    }
    pods.close();
    replicaSets.close();
    nodes.close();
    namespaces.close();
    atTheEnd.run();
  }
}
