package dev.berth.agent.pods;

import dev.berth.agent.images.ImagePuller;
import dev.berth.agent.pods.act.ContainerFiles;
import dev.berth.agent.pods.act.ContainerRemains;
import dev.berth.agent.pods.act.ContainerResizer;
import dev.berth.agent.pods.act.ContainerStarter;
import dev.berth.agent.pods.act.ContainerStopper;
import dev.berth.agent.pods.act.HookRequests;
import dev.berth.agent.pods.act.Hooks;
import dev.berth.agent.pods.act.ImageActions;
import dev.berth.agent.pods.act.LastWords;
import dev.berth.agent.pods.act.PodEvents;
import dev.berth.agent.pods.act.PodGroup;
import dev.berth.agent.pods.act.PodRemains;
import dev.berth.agent.pods.act.SandboxActions;
import dev.berth.agent.pods.act.StepRunner;
import dev.berth.agent.pods.act.Turns;
import dev.berth.agent.pods.config.ContainerConfigs;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.Platform;
import dev.berth.agent.pods.config.References;
import dev.berth.agent.pods.config.SandboxConfigs;
import dev.berth.agent.probes.HttpGet;
import dev.berth.client.Backoff;
import dev.berth.client.Informer;
import dev.berth.client.ResourceType;
import io.fabric8.kubernetes.api.model.Service;
import java.time.Duration;

/// Puts together what workers need; the one place that knows all its parts.
final class Assembly {
  private static final Duration FIRST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private Assembly() {}

  static PodTools tools(
      PodAgentConfig config,
      PodSurroundings around,
      PodEvents events,
      Observers observers,
      OwnNode ownNode,
      RuntimeClasses classes,
      Informer<Service> services) {
    NodeSettings node = config.node();
    ContainerFiles files =
        new ContainerFiles(node, config.platform(), around.volumes(), around.runtimes());
    return new PodTools(
        node,
        around.runtimes(),
        new Resolver(
            around.runtimes(),
            ownNode,
            classes,
            config.platform(),
            config.unresolved(),
            around.pressure(),
            new Admissions(node.allocatable())),
        observers,
        runner(
            config,
            around,
            events,
            files,
            new ApiReferences(around.client(), services, node.apiServer())),
        new LastWords(node),
        new PodRemains(node, around.volumes(), around.cgroups()),
        around.probes(),
        events,
        around.client().json(ResourceType.PODS),
        new Backoff(FIRST, LONGEST, around.random()),
        around.delays(),
        around.clock(),
        around.metrics(),
        new RejectionPace());
  }

  private static StepRunner runner(
      PodAgentConfig config,
      PodSurroundings around,
      PodEvents events,
      ContainerFiles files,
      References references) {
    NodeSettings node = config.node();
    Platform platform = config.platform();
    SandboxConfigs sandboxes = new SandboxConfigs(node, platform);
    ContainerConfigs containers = new ContainerConfigs(node, platform, references);
    Hooks hooks =
        new Hooks(
            new HookRequests(node, new HttpGet("kube-lifecycle/1.32"), around.delays()),
            events,
            around.clock());
    PodGroup group = new PodGroup(node.cgroups(), around.cgroups());
    ImagePuller puller =
        new ImagePuller(
            config.parallelPulls(), around.clock(), around.delays(), around.metrics()::pulled);
    Turns turns = Turns.of(Runtime.getRuntime().availableProcessors());
    return new StepRunner(
        new SandboxActions(node, sandboxes, around.volumes(), group, events, turns),
        new ImageActions(puller, sandboxes, references, events),
        new ContainerStarter(node, sandboxes, containers, files, hooks, events, turns),
        new ContainerStopper(hooks, new ContainerRemains(node), events, around.clock()),
        new ContainerResizer(platform, group, events));
  }
}
