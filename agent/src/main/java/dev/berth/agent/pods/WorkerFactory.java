package dev.berth.agent.pods;

import dev.berth.agent.events.PodEvents;
import dev.berth.agent.images.ClusterAdvice;
import dev.berth.agent.images.ImagePuller;
import dev.berth.agent.pods.act.ContainerCleanup;
import dev.berth.agent.pods.act.ContainerFiles;
import dev.berth.agent.pods.act.ContainerResizer;
import dev.berth.agent.pods.act.ContainerStarter;
import dev.berth.agent.pods.act.ContainerStopper;
import dev.berth.agent.pods.act.HookRequests;
import dev.berth.agent.pods.act.ImageActions;
import dev.berth.agent.pods.act.ImageTargets;
import dev.berth.agent.pods.act.LifecycleHooks;
import dev.berth.agent.pods.act.PodCgroup;
import dev.berth.agent.pods.act.PodCleanup;
import dev.berth.agent.pods.act.RuntimeStartLimiter;
import dev.berth.agent.pods.act.SandboxActions;
import dev.berth.agent.pods.act.StepRunner;
import dev.berth.agent.pods.act.TerminationMessage;
import dev.berth.agent.pods.admission.OwnNode;
import dev.berth.agent.pods.admission.PodAdmissionQueue;
import dev.berth.agent.pods.admission.RejectionDelay;
import dev.berth.agent.pods.admission.RuntimeClasses;
import dev.berth.agent.pods.admission.ServiceResolver;
import dev.berth.agent.pods.config.ContainerConfigs;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.pods.config.ReferencedObjects;
import dev.berth.agent.pods.config.SandboxConfigs;
import dev.berth.agent.pods.references.ApiReferences;
import dev.berth.agent.pods.worker.ServiceObservers;
import dev.berth.agent.pods.worker.WorkerActions;
import dev.berth.agent.pods.worker.WorkerDependencies;
import dev.berth.agent.pods.worker.WorkerInputs;
import dev.berth.agent.pods.worker.WorkerOutputs;
import dev.berth.agent.pods.worker.WorkerTiming;
import dev.berth.agent.probes.HttpGet;
import dev.berth.api.KubernetesVersion;
import dev.berth.client.Backoff;
import dev.berth.client.Informer;
import dev.berth.client.ResourceType;
import io.fabric8.kubernetes.api.model.Service;
import java.time.Duration;

/// Puts together what workers need; the one place that knows all of it.
final class WorkerFactory {
  /// First pause after a status that was not written. The server may be restarting, and a pod's
  /// readiness waits for its status.
  private static final Duration FIRST = Duration.ofMillis(200);

  /// Longest pause, which bounds how late a status comes after an outage.
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private WorkerFactory() {}

  static WorkerDependencies create(
      PodAgentConfig config,
      AgentDependencies agent,
      PodEvents events,
      ServiceObservers observers,
      OwnNode ownNode,
      RuntimeClasses classes,
      Informer<Service> services) {
    NodeSettings node = config.node();
    return new WorkerDependencies(
        new WorkerInputs(
            node, config.platform(), agent.runtimes(), observers, new TerminationMessage(node)),
        new WorkerOutputs(agent.client().json(ResourceType.PODS), events, agent.metrics()),
        new WorkerActions(
            new ServiceResolver(
                agent.runtimes(),
                ownNode,
                classes,
                config.platform(),
                config.settings().admission(),
                agent.pressure(),
                new PodAdmissionQueue(node.allocatable())),
            new RejectionDelay(config.settings().admission()),
            runner(config, agent, events, services),
            agent.probes(),
            new PodCleanup(node, agent.volumes(), agent.cgroups())),
        new WorkerTiming(
            agent.clock(), agent.delays(), new Backoff(FIRST, LONGEST, agent.random())));
  }

  private static StepRunner runner(
      PodAgentConfig config,
      AgentDependencies agent,
      PodEvents events,
      Informer<Service> services) {
    NodeSettings node = config.node();
    PlatformConfig platform = config.platform();
    ReferencedObjects references = new ApiReferences(agent.client(), services, node.apiServer());
    ContainerFiles files = new ContainerFiles(node, platform, agent.volumes(), agent.runtimes());
    SandboxConfigs sandboxes = new SandboxConfigs(node, platform);
    ContainerConfigs containers = new ContainerConfigs(node, platform, references);
    LifecycleHooks hooks =
        new LifecycleHooks(
            new HookRequests(
                node, new HttpGet(KubernetesVersion.userAgent("kube-lifecycle")), agent.delays()),
            events,
            agent.clock());
    PodCgroup group = new PodCgroup(node.cgroups(), agent.cgroups());
    ImagePuller puller =
        new ImagePuller(
            config.pulls().with(new ClusterAdvice(agent.client(), node.name(), agent.clock())),
            agent.clock(),
            agent.delays(),
            agent.images(),
            agent.metrics()::pulled);
    RuntimeStartLimiter startLimiter =
        new RuntimeStartLimiter(
            config.settings().starts(), Runtime.getRuntime().availableProcessors());
    return new StepRunner(
        new SandboxActions(node, sandboxes, agent.volumes(), group, events, startLimiter),
        new ImageActions(
            puller, new ImageTargets(config.pulls().host()), sandboxes, references, events),
        new ContainerStarter(node, sandboxes, containers, files, hooks, events, startLimiter),
        new ContainerStopper(hooks, new ContainerCleanup(node), events, agent.clock()),
        new ContainerResizer(platform, group, events));
  }
}
