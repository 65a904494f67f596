package dev.berth.agent.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.events.EventWriter;
import dev.berth.agent.pods.admission.OwnNode;
import dev.berth.agent.pods.admission.RuntimeClasses;
import dev.berth.agent.pods.eviction.StorageUsageCache;
import dev.berth.agent.pods.logs.ContainerLookup;
import dev.berth.agent.pods.observed.ObservationListener;
import dev.berth.agent.pods.references.PodJson;
import dev.berth.agent.pods.staticpods.ManifestDirectory;
import dev.berth.agent.pods.staticpods.MirrorPods;
import dev.berth.agent.pods.staticpods.StaticPods;
import dev.berth.agent.pods.worker.OrphanCleanup;
import dev.berth.agent.pods.worker.PodWorkers;
import dev.berth.agent.pods.worker.ServiceObservers;
import dev.berth.agent.runtimes.RuntimeServices.Following;
import dev.berth.agent.streams.ContainerLocation;
import dev.berth.agent.streams.PodDirectory;
import dev.berth.agent.streams.StreamPod;
import dev.berth.agent.usage.PodStorage;
import dev.berth.api.pods.PodSource;
import dev.berth.client.Informer;
import dev.berth.client.InformerEvent;
import dev.berth.client.ListQuery;
import dev.berth.client.Reflector;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the pods that are bound to this node, and says what has become of them.
public final class PodAgent implements PodDirectory, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PodAgent.class);

  private final AgentDependencies dependencies;
  private final Informer<ObjectNode> pods;
  private final Informer<ObjectNode> classes;
  private final Informer<ObjectNode> nodes;
  private final Informer<Service> services;
  private final EventWriter events;
  private final ServiceObservers observers;
  private final PodWorkers workers;
  private final ContainerLookup containerLocation;
  private final Optional<StaticPods> manifests;
  private final OrphanCleanup orphans;
  private final Path directories;
  private final Thread search;
  private final NodeHousekeeping upkeep;
  private final StorageUsageCache storage;

  /// Whether every pod that is wanted here has a worker.
  private volatile boolean allAreKnown;

  private final Following following;

  private PodAgent(PodAgentConfig config, AgentDependencies dependencies) {
    this.dependencies = dependencies;
    var client = dependencies.client();
    ResourceClient<ObjectNode> allClasses = client.json(ResourceType.RUNTIME_CLASSES);
    this.classes = informer(allClasses, ListQuery.ALL);
    ResourceClient<ObjectNode> allNodes = client.json(ResourceType.NODES);
    this.nodes =
        informer(
            allNodes, ListQuery.ALL.withFieldSelector("metadata.name=" + config.node().name()));
    this.services = informer(client.typed(ResourceType.SERVICES, Service.class), ListQuery.ALL);
    this.events =
        new EventWriter(
            client.json(ResourceType.EVENTS),
            config.node().name(),
            dependencies.clock(),
            dependencies.delays());
    if (dependencies.cgroups() != PodCgroups.NONE) {
      events.publish(
          false, "NodeAllocatableEnforced", "Updated Node Allocatable limit across pods");
    }
    this.observers =
        new ServiceObservers(new WorkersWaker(), dependencies.delays(), dependencies.clock());
    this.workers =
        new PodWorkers(
            WorkerFactory.create(
                config,
                dependencies,
                events,
                observers,
                new OwnNode(config.node().name(), nodes, allNodes),
                new RuntimeClasses(classes, allClasses),
                services));
    this.containerLocation = new ContainerLookup(config.node(), dependencies.runtimes(), observers);
    this.pods =
        informer(
            client.json(ResourceType.PODS),
            ListQuery.ALL.withFieldSelector("spec.nodeName=" + config.node().name()));
    this.manifests =
        config.settings().manifests().map(directory -> follow(directory, config.node().name()));
    this.orphans =
        new OrphanCleanup(
            config.node().own(),
            observers,
            dependencies.runtimes(),
            workers,
            () -> allAreKnown,
            dependencies.delays(),
            dependencies.clock());
    this.directories = config.node().pods();
    pods.addHandler(this::attempt);
    this.following =
        dependencies
            .runtimes()
            .follow(
                _ -> {
                  observers.follow(dependencies.runtimes());
                  workers.wakeAll();
                });
    this.upkeep = NodeHousekeeping.start(config, dependencies, workers, observers, events);
    this.storage =
        new StorageUsageCache(
            config.node(), dependencies.volumes(), workers::pods, dependencies.clock());
    dependencies.metrics().follow(config.node().name(), observers::present);
    this.search = Thread.ofVirtual().name("orphans").start(this::searchOrphans);
  }

  private StaticPods follow(Path directory, String node) {
    return StaticPods.start(
        new ManifestDirectory(directory, node),
        workers,
        new MirrorPods(dependencies.client()),
        pods,
        dependencies.delays());
  }

  /// Once everything that is wanted is known.
  private void searchOrphans() {
    try {
      pods.awaitSynced();
      if (manifests.isPresent()) {
        manifests.get().awaitKnown();
      }
      allAreKnown = true;
      orphans.searchAll();
      orphans.searchDirectories(directories);
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// Starts to follow the API; waits for nobody.
  public static PodAgent start(PodAgentConfig config, AgentDependencies dependencies) {
    return new PodAgent(config, dependencies);
  }

  private <T> Informer<T> informer(ResourceClient<T> resources, ListQuery query) {
    return Informer.start(
        resources, query, dependencies.delays(), Reflector.usualBackoff(dependencies.random()));
  }

  /// One pod that cannot be read keeps no other from being followed.
  private void attempt(InformerEvent<ObjectNode> change) {
    try {
      changed(change);
    } catch (RuntimeException e) {
      log.error(
          "pod not followed namespace={} name={}",
          change.latest().at("/metadata/namespace").asText(),
          change.latest().at("/metadata/name").asText(),
          e);
    }
  }

  private void changed(InformerEvent<ObjectNode> change) {
    switch (change) {
      case InformerEvent.Added<ObjectNode>(var now) -> desire(PodJson.pod(now));
      case InformerEvent.Updated<ObjectNode>(var before, var now) -> {
        String uid = before.path("metadata").path("uid").asText();
        if (!uid.equals(now.path("metadata").path("uid").asText())) {
          workers.gone(uid);
        }
        Pod pod = PodJson.pod(now);
        desire(pod);
        if (PodJson.isOther(before, now)) {
          dependencies.volumes().changed(pod);
        }
      }
      case InformerEvent.Removed<ObjectNode>(var last) ->
          workers.gone(last.path("metadata").path("uid").asText());
    }
  }

  /// One that only shows a pod of the manifests is not run.
  private void desire(Pod pod) {
    if (!PodSource.isMirror(pod)) {
      workers.desire(pod);
    }
  }

  private final class WorkersWaker implements ObservationListener {
    @Override
    public void changed(String podUid) {
      workers.wake(podUid);
      orphans.consider(podUid);
    }

    @Override
    public void listed(Duration took) {
      dependencies.metrics().listed(took, dependencies.clock().instant());
    }

    @Override
    public void regained() {
      workers.wakeAll();
      orphans.searchAll();
    }
  }

  @Override
  public List<Pod> pods() {
    return workers.pods();
  }

  /// What pods had in volumes and logs when that was last measured, by UID. Answers at once.
  public Map<String, PodStorage> storage() {
    return storage.newest();
  }

  @Override
  public ContainerLocation find(StreamPod name, String container) {
    return workers
        .find(name)
        .map(pod -> containerLocation.of(pod, container))
        .orElseGet(() -> new ContainerLocation.NotFound("pod \"%s\" not found".formatted(name)));
  }

  /// Ends the agent's part; pods run on, and the next agent finds them again.
  @Override
  public void close() {
    // What is wanted changes from here on without this agent's knowledge.
    allAreKnown = false;
    following.close();
    search.interrupt();
    manifests.ifPresent(StaticPods::close);
    upkeep.close();
    storage.close();
    pods.close();
    classes.close();
    nodes.close();
    services.close();
    workers.close();
    observers.close();
    events.close();
  }
}
