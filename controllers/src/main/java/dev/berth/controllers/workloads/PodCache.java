package dev.berth.controllers.workloads;

import dev.berth.client.Informer;
import dev.berth.client.InformerEvent;
import dev.berth.client.ListQuery;
import dev.berth.client.Reflector;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.controllers.loops.ControllerContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// The pods of the cluster, indexed by their controller; shared by all workload controllers.
///
/// Any thread may call it. Each pod is held once and as [WorkloadPod] only: no kind has more or
/// larger objects. The second index finds orphans, which a selector may match.
public final class PodCache implements AutoCloseable {
  private static final String OWNER = "owner";
  private static final String ORPHANS = "orphans";

  private final ResourceClient<WorkloadPod> pods;
  private final Informer<WorkloadPod> known;

  public PodCache(ControllerContext context) {
    this.pods = context.client().resources(ResourceType.PODS, new PodCodec());
    this.known =
        Informer.startIndexed(
            pods,
            ListQuery.ALL,
            Map.of(OWNER, PodCache::owner, ORPHANS, PodCache::orphanage),
            context.delays(),
            Reflector.usualBackoff(context.random()));
  }

  private static Collection<String> owner(WorkloadPod pod) {
    String uid = pod.identity().controllerUid();
    return uid.isEmpty() ? List.of() : List.of(uid);
  }

  private static Collection<String> orphanage(WorkloadPod pod) {
    return pod.identity().controllerUid().isEmpty() ? List.of(pod.key().namespace()) : List.of();
  }

  /// The pods that the owner manages.
  public List<WorkloadPod> of(String ownerUid) {
    return known.byIndex(OWNER, ownerUid);
  }

  /// The pods that the owner manages or may adopt.
  public List<WorkloadPod> candidates(ObjectIdentity owner) {
    List<WorkloadPod> all = new ArrayList<>(of(owner.uid()));
    all.addAll(known.byIndex(ORPHANS, owner.key().namespace()));
    return all;
  }

  public void addHandler(Consumer<InformerEvent<WorkloadPod>> handler) {
    known.addHandler(handler);
  }

  public Informer<WorkloadPod> informer() {
    return known;
  }

  /// Reads from the server, not from the cache.
  ResourceClient<WorkloadPod> live() {
    return pods;
  }

  @Override
  public void close() {
    known.close();
  }
}
