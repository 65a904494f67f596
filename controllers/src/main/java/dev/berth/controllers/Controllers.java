package dev.berth.controllers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.client.Delays;
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
import dev.berth.controllers.deployments.Deployments;
import dev.berth.controllers.gc.GarbageCollector;
import dev.berth.controllers.loops.Loop;
import dev.berth.controllers.loops.Surroundings;
import dev.berth.controllers.namespaces.DefaultServiceAccounts;
import dev.berth.controllers.namespaces.NamespaceTermination;
import dev.berth.controllers.namespaces.RootCertificates;
import dev.berth.controllers.namespaces.SystemNamespaces;
import dev.berth.controllers.nodes.AdvertisedRuntimes;
import dev.berth.controllers.nodes.NodeLifecycle;
import dev.berth.controllers.nodes.StrandedPods;
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

/// All loops of a control plane, running.
public final class Controllers implements AutoCloseable {
  private static final ObjectKey LEASE = new ObjectKey("kube-system", "berth-controllers");

  private final Runnable atTheEnd;
  private final Informer<ObjectMetadata> namespaces;
  private final Informer<ObjectNode> nodes;
  private final Informer<ObjectNode> replicaSets;
  private final PodCache pods;
  private final List<Loop> loops = new ArrayList<>();

  private @Nullable Informer<ObjectNode> requests;

  private Controllers(
      Surroundings surroundings,
      String authority,
      @Nullable ClusterSigner signer,
      Runnable atTheEnd) {
    this.atTheEnd = atTheEnd;
    this.namespaces =
        surroundings.informer(
            surroundings.client().metadata(ResourceType.NAMESPACES), ListQuery.ALL);
    this.nodes =
        surroundings.informer(surroundings.client().json(ResourceType.NODES), ListQuery.ALL);
    this.replicaSets =
        surroundings.informer(surroundings.client().json(ResourceType.REPLICA_SETS), ListQuery.ALL);
    this.pods = new PodCache(surroundings);
    loops.add(new SystemNamespaces(surroundings, namespaces));
    loops.add(DefaultServiceAccounts.start(surroundings, namespaces));
    loops.add(RootCertificates.start(surroundings, namespaces, authority));
    loops.add(new NamespaceTermination(surroundings, namespaces));
    loops.add(new GarbageCollector(surroundings));
    loops.add(new EventExpiry(surroundings));
    loops.add(new AccountTokens(surroundings, authority));
    loops.add(new JoinTokenExpiry(surroundings));
    loops.add(new RoleAggregation(surroundings));
    loops.add(new ResourceQuotas(surroundings));
    loops.add(new NodeLifecycle(surroundings, nodes));
    loops.add(new TaintEviction(surroundings, nodes));
    loops.add(new StrandedPods(surroundings, nodes, pods));
    loops.add(new AdvertisedRuntimes(surroundings, nodes));
    loops.add(new ReplicaSets(surroundings, replicaSets, pods));
    loops.add(new Deployments(surroundings, replicaSets, pods));
    loops.add(new DaemonSets(surroundings, nodes, pods));
    if (signer != null) {
      addCertificates(surroundings, authority, signer);
    }
  }

  private void addCertificates(Surroundings surroundings, String authority, ClusterSigner signer) {
    Informer<ObjectNode> known =
        surroundings.informer(
            surroundings.client().json(ResourceType.CERTIFICATE_SIGNING_REQUESTS), ListQuery.ALL);
    requests = known;
    loops.add(new CertificateApproval(surroundings, known, nodes, signer));
    loops.add(new CertificateSigning(surroundings, known, signer));
    loops.add(new CertificateCleanup(surroundings, known));
    loops.add(new ClusterInfo(surroundings, signer.url(), authority));
  }

  /// Starts all loops; returns at once, they find the server when it is there.
  ///
  /// @param client stays open when the loops are closed
  /// @param authority the certificate authority of the API server, in PEM
  /// @param random used by many threads, as [java.util.Random] may be
  public static Controllers start(
      ApiClient client, String authority, InstantSource clock, RandomGenerator random) {
    return start(client, authority, null, clock, random);
  }

  /// As [#start(ApiClient, String, InstantSource, RandomGenerator)], with the loops for
  /// certificates.
  ///
  /// @param signer null where another process signs
  public static Controllers start(
      ApiClient client,
      String authority,
      @Nullable ClusterSigner signer,
      InstantSource clock,
      RandomGenerator random) {
    Delays delays = Delays.realTime();
    return new Controllers(
        new Surroundings(client, delays, clock, random), authority, signer, delays::close);
  }

  /// As [#start(ApiClient, String, InstantSource, RandomGenerator)], with a client of their own and
  /// the authority that the configuration trusts.
  public static Controllers start(
      ClientConfig config, InstantSource clock, RandomGenerator random) {
    ApiClient client = ApiClient.open(config.withUserAgent("berth-controllers"));
    Delays delays = Delays.realTime();
    return new Controllers(
        new Surroundings(client, delays, clock, random),
        config.authority(),
        null,
        () -> {
          delays.close();
          client.close();
        });
  }

  /// Runs the loops on one of several processes.
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

  /// How busy each loop is.
  public Map<String, WorkQueue.Stats> stats() {
    Map<String, WorkQueue.Stats> stats = new LinkedHashMap<>();
    loops.forEach(loop -> stats.put(loop.name(), loop.stats()));
    return stats;
  }

  @Override
  public void close() {
    loops.reversed().forEach(Loop::close);
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
