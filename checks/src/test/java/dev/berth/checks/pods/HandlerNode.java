package dev.berth.checks.pods;

import dev.berth.agent.images.ImageMemory;
import dev.berth.agent.images.ImagePuller;
import dev.berth.agent.images.ImageRequest;
import dev.berth.agent.images.ImageTarget;
import dev.berth.agent.images.PullCredentials;
import dev.berth.agent.images.PullListener;
import dev.berth.agent.images.PullSettings;
import dev.berth.agent.images.RegistryEntries;
import dev.berth.agent.images.access.VerificationRules;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.api.pods.WorkloadType;
import dev.berth.checks.ServerProcess;
import dev.berth.checks.containerd.ContainerdProcess;
import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriEndpoint.UnixSocket;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/// A node with one containerd whose handlers run images of different platforms, and a class for
/// each of these handlers.
public final class HandlerNode implements AutoCloseable {
  private static final ImagePlatform HOST = new ImagePlatform("linux", "amd64", "", "");

  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final KubernetesClient client;
  private final PodNode node;
  private final DelayedActions delays = DelayedActions.realTime();
  private final Map<String, ImageTarget> targets = new HashMap<>();
  private final AtomicLong pulls = new AtomicLong();
  private final ImagePuller puller;

  private HandlerNode(Path directory, Path kubeconfig, Map<String, String> platforms)
      throws Exception {
    started.push(PodNode::clearGroups);
    try {
      ContainerdProcess containerd =
          keep(
              ContainerdProcess.start(
                  directory.resolve("c"),
                  LowLevelRuntime.RUNC,
                  platforms.keySet().stream().sorted().toList()));
      Config config = ServerProcess.patient(Config.fromKubeconfig(kubeconfig.toFile()));
      client = keep(new KubernetesClientBuilder().withConfig(config).build());
      List<ServiceHandler> handlers =
          platforms.entrySet().stream()
              .map(
                  entry ->
                      ServiceHandler.named(entry.getKey())
                          .with(ImagePlatform.parse(entry.getValue()).orElseThrow()))
              .toList();
      UnixSocket socket = new UnixSocket(containerd.socket());
      node =
          keep(
              new PodNode(
                  directory.resolve("node"),
                  kubeconfig,
                  List.of(
                      new RuntimeDeclaration(
                          "containerd", WorkloadType.CONTAINER, socket, socket, handlers))));
      node.register();
      RegistryClient registries = keep(new RegistryClient(RegistryEntries.SETTINGS));
      PullSettings settings = new PullSettings(5, HOST, new RegistryEntries(registries));
      keep(delays);
      handlers.forEach(
          handler ->
              targets.put(
                  handler.name(), new ImageTarget(handler.name(), handler.target(HOST), true)));
      targets.put("", new ImageTarget("", TargetPlatform.of(HOST), false));
      puller =
          new ImagePuller(
              settings,
              InstantSource.system(),
              delays,
              ImageMemory.open(directory.resolve("memory"), VerificationRules.STANDARD),
              (_, _) -> pulls.incrementAndGet());
      node.start(usual -> usual.with(settings));
      for (String handler : platforms.keySet()) {
        apply(
            "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: %s}, handler: %s}"
                .formatted(handler, handler));
      }
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  /// Starts one and waits for nothing.
  ///
  /// @param platforms by handler: `linux/arm64`
  public static HandlerNode start(Path directory, Path kubeconfig, Map<String, String> platforms)
      throws Exception {
    return new HandlerNode(directory, kubeconfig, platforms);
  }

  private <T extends AutoCloseable> T keep(T one) {
    started.push(one);
    return one;
  }

  public void apply(String yaml) {
    client.resource("# YAML, not JSON\n" + yaml).create();
  }

  /// Pulls as the pods of a handler do; answers the reference of which containers are made.
  public String pull(String handler, String image, PullCredentials credentials)
      throws InterruptedException {
    ImageRequest request =
        new ImageRequest(
            image,
            "Always",
            Objects.requireNonNull(targets.get(handler)),
            Map.of(),
            List.of(credentials),
            PodSandboxConfig.getDefaultInstance());
    return puller.ensure(node.images(), request, PullListener.NONE).reference();
  }

  public void removeImage(String reference) {
    node.images().client().removeImage(ImageSpec.newBuilder().setImage(reference).build());
  }

  /// How many pulls ended well.
  public long pulls() {
    return pulls.get();
  }

  public Pod pod(String name) {
    return Objects.requireNonNull(client.pods().inNamespace("default").withName(name).get());
  }

  /// What the container left as its termination message.
  public String message(String name) {
    await(name, state -> state.getTerminated() != null);
    String message = state(name).getTerminated().getMessage();
    return message == null ? "" : message.strip();
  }

  /// Why the container waits, once it waits for one of these reasons.
  public String waitingMessage(String name, String... reasons) {
    await(
        name,
        state ->
            state.getWaiting() != null
                && List.of(reasons).contains(state.getWaiting().getReason()));
    String message = state(name).getWaiting().getMessage();
    return message == null ? "" : message;
  }

  private void await(String name, Predicate<ContainerState> condition) {
    TwoContainerds.await(
        name + " is there",
        () -> statuses(name).stream().map(ContainerStatus::getState).anyMatch(condition),
        () -> pod(name).getStatus().toString());
  }

  private ContainerState state(String name) {
    return statuses(name).getFirst().getState();
  }

  private List<ContainerStatus> statuses(String name) {
    return pod(name).getStatus() == null ? List.of() : pod(name).getStatus().getContainerStatuses();
  }

  @Override
  public void close() throws IOException {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }
}
