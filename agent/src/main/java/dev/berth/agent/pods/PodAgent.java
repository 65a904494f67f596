package dev.berth.agent.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.List;

/// Runs the pods that are bound to this node, and says what has become of them.
public final class PodAgent implements PodDirectory, AutoCloseable {
  private final PodSurroundings surroundings;
  private final Informer<ObjectNode> pods;
  private final Informer<ObjectNode> classes;
  private final EventWriter events;
  private final Observers observers;
  private final PodWorkers workers;
  private final PodWhereabouts whereabouts;
  private final Following following;

  private PodAgent(PodAgentConfig config, PodSurroundings surroundings) {
    this.surroundings = surroundings;
    var client = surroundings.client();
    Resources<ObjectNode> allClasses = client.json(ResourceType.RUNTIME_CLASSES);
    this.classes = informer(allClasses, ListQuery.ALL);
    this.events =
        new EventWriter(
            client.json(ResourceType.EVENTS),
            config.node().name(),
            surroundings.clock(),
            surroundings.random());
    this.observers = new Observers(new WorkersWaker(), surroundings.delays(), surroundings.clock());
    PodTools tools =
        Assembly.tools(
            config, surroundings, events, observers, new RuntimeClasses(classes, allClasses));
    this.workers = new PodWorkers(tools);
    this.whereabouts = new PodWhereabouts(config.node(), surroundings.runtimes(), observers);
    this.following =
        surroundings
            .runtimes()
            .follow(
                _ -> {
                  observers.follow(surroundings.runtimes());
                  workers.wakeAll();
                });
    this.pods =
        informer(
            client.json(ResourceType.PODS),
            ListQuery.ALL.withFieldSelector("spec.nodeName=" + config.node().name()));
    pods.addHandler(this::changed);
  }

  /// Starts to follow the API; waits for nobody.
  public static PodAgent start(PodAgentConfig config, PodSurroundings surroundings) {
    return new PodAgent(config, surroundings);
  }

  private Informer<ObjectNode> informer(Resources<ObjectNode> resources, ListQuery query) {
    return Informer.start(
        resources, query, surroundings.delays(), Reflector.usualBackoff(surroundings.random()));
  }

  private void changed(Change<ObjectNode> change) {
    switch (change) {
      case Change.Added<ObjectNode>(var now) -> workers.desire(PodTrees.pod(now));
      case Change.Updated<ObjectNode>(var before, var now) -> {
        String uid = before.path("metadata").path("uid").asText();
        if (!uid.equals(now.path("metadata").path("uid").asText())) {
          workers.gone(uid);
        }
        workers.desire(PodTrees.pod(now));
      }
      case Change.Removed<ObjectNode>(var last) ->
          workers.gone(last.path("metadata").path("uid").asText());
    }
  }

  private final class WorkersWaker implements News {
    @Override
    public void changed(String podUid) {
      workers.wake(podUid);
    }

    @Override
    public void regained() {
      workers.wakeAll();
    }
  }

  @Override
  public List<Pod> pods() {
    return workers.pods();
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
    following.close();
    pods.close();
    classes.close();
    workers.close();
    observers.close();
    events.close();
  }
}
