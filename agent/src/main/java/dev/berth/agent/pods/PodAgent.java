package dev.berth.agent.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.events.EventWriter;
import dev.berth.agent.node.usage.PodStorage;
import dev.berth.agent.pods.manifests.Manifests;
import dev.berth.agent.pods.manifests.StaticPod;
import dev.berth.agent.pods.observed.News;
import dev.berth.agent.runtimes.Runtimes.Following;
import dev.berth.agent.streams.PodDirectory;
import dev.berth.agent.streams.PodName;
import dev.berth.agent.streams.Whereabouts;
import dev.berth.client.Change;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.Reflector;
import dev.berth.client.ResourceType;
import dev.berth.client.Resources;
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

  private final PodSurroundings surroundings;
  private final Informer<ObjectNode> pods;
  private final Informer<ObjectNode> classes;
  private final Informer<ObjectNode> nodes;
  private final Informer<Service> services;
  private final EventWriter events;
  private final Observers observers;
  private final PodWorkers workers;
  private final PodWhereabouts whereabouts;
  private final Optional<StaticPods> manifests;
  private final Orphans orphans;
  private final Path folders;
  private final Thread search;
  private final Upkeep upkeep;
  private final StorageLook storage;

  /// Whether every pod that is wanted here has a worker.
  private volatile boolean allAreKnown;

  private final Following following;

  private PodAgent(PodAgentConfig config, PodSurroundings surroundings) {
    this.surroundings = surroundings;
    var client = surroundings.client();
    Resources<ObjectNode> allClasses = client.json(ResourceType.RUNTIME_CLASSES);
    this.classes = informer(allClasses, ListQuery.ALL);
    Resources<ObjectNode> allNodes = client.json(ResourceType.NODES);
    this.nodes =
        informer(
            allNodes, ListQuery.ALL.withFieldSelector("metadata.name=" + config.node().name()));
    this.services = informer(client.typed(ResourceType.SERVICES, Service.class), ListQuery.ALL);
    this.events =
        new EventWriter(
            client.json(ResourceType.EVENTS),
            config.node().name(),
            surroundings.clock(),
            surroundings.delays());
    if (surroundings.cgroups() != PodCgroups.NONE) {
      events.tell(false, "NodeAllocatableEnforced", "Updated Node Allocatable limit across pods");
    }
    this.observers = new Observers(new WorkersWaker(), surroundings.delays(), surroundings.clock());
    PodTools tools =
        Assembly.tools(
            config,
            surroundings,
            events,
            observers,
            new OwnNode(config.node().name(), nodes, allNodes),
            new RuntimeClasses(classes, allClasses),
            services);
    this.workers = new PodWorkers(tools);
    this.whereabouts = new PodWhereabouts(config.node(), surroundings.runtimes(), observers);
    this.pods =
        informer(
            client.json(ResourceType.PODS),
            ListQuery.ALL.withFieldSelector("spec.nodeName=" + config.node().name()));
    this.manifests = config.manifests().map(folder -> follow(folder, config.node().name()));
    this.orphans =
        new Orphans(
            config.node().own(),
            observers,
            surroundings.runtimes(),
            workers,
            () -> allAreKnown,
            surroundings.delays(),
            surroundings.clock());
    this.folders = config.node().pods();
    pods.addHandler(this::attempt);
    this.following =
        surroundings
            .runtimes()
            .follow(
                _ -> {
                  observers.follow(surroundings.runtimes());
                  workers.wakeAll();
                });
    this.upkeep = Upkeep.start(config, surroundings, workers, observers, events);
    this.storage =
        new StorageLook(config.node(), surroundings.volumes(), workers::pods, surroundings.clock());
    surroundings.metrics().follow(config.node().name(), observers::present);
    this.search = Thread.ofVirtual().name("orphans").start(this::searchOrphans);
  }

  private StaticPods follow(Path folder, String node) {
    return StaticPods.start(
        new Manifests(folder, node),
        workers,
        new Mirrors(surroundings.client()),
        pods,
        surroundings.delays());
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
      orphans.searchFolders(folders);
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// Starts to follow the API; waits for nobody.
  public static PodAgent start(PodAgentConfig config, PodSurroundings surroundings) {
    return new PodAgent(config, surroundings);
  }

  private <T> Informer<T> informer(Resources<T> resources, ListQuery query) {
    return Informer.start(
        resources, query, surroundings.delays(), Reflector.usualBackoff(surroundings.random()));
  }

  /// One pod that cannot be read keeps no other from being followed.
  private void attempt(Change<ObjectNode> change) {
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

  private void changed(Change<ObjectNode> change) {
    switch (change) {
      case Change.Added<ObjectNode>(var now) -> desire(PodTrees.pod(now));
      case Change.Updated<ObjectNode>(var before, var now) -> {
        String uid = before.path("metadata").path("uid").asText();
        if (!uid.equals(now.path("metadata").path("uid").asText())) {
          workers.gone(uid);
        }
        Pod pod = PodTrees.pod(now);
        desire(pod);
        if (PodTrees.isOther(before, now)) {
          surroundings.volumes().changed(pod);
        }
      }
      case Change.Removed<ObjectNode>(var last) ->
          workers.gone(last.path("metadata").path("uid").asText());
    }
  }

  /// One that only shows a pod of the manifests is not run.
  private void desire(Pod pod) {
    if (!StaticPod.isMirror(pod)) {
      workers.desire(pod);
    }
  }

  private final class WorkersWaker implements News {
    @Override
    public void changed(String podUid) {
      workers.wake(podUid);
      orphans.consider(podUid);
    }

    @Override
    public void listed(Duration took) {
      surroundings.metrics().listed(took, surroundings.clock().instant());
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
  public Whereabouts find(PodName name, String container) {
    return workers
        .find(name)
        .map(pod -> whereabouts.of(pod, container))
        .orElseGet(() -> new Whereabouts.NotFound("pod \"%s\" not found".formatted(name)));
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
