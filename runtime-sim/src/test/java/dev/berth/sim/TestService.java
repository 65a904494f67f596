package dev.berth.sim;

import dev.berth.cri.CriChannels;
import dev.berth.cri.CriConnection;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import dev.berth.cri.ImageClient;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerMetadata;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ContainerStatus;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.sim.profile.SimProfile;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;

/// A simulated service in this process and a client of it; time stands still until a test moves it.
public final class TestService implements AutoCloseable {
  public static final String IMAGE = "test.berth.dev/busybox:1";

  public final ManualTimeline time = new ManualTimeline();
  private final SimContext world = new SimContext(time, new Random(7));
  private final CriTransport transport = new CriTransport();
  private final Simulator simulator;
  private final CriConnection connection;

  public TestService(String profile) {
    this(SimProfile.named(profile).orElseThrow(), config -> config);
  }

  public TestService(SimProfile profile, UnaryOperator<SimConfig> change) {
    CriEndpoint endpoint = new CriEndpoint.InProcess(UUID.randomUUID().toString());
    SimConfig config = change.apply(SimConfig.of("test", endpoint, profile));
    simulator = Simulator.start(config, world);
    connection =
        new CriChannels(
                transport,
                CriDeadlines.KUBELET,
                new CriMetrics(new PrometheusRegistry()),
                OpenTelemetry.noop())
            .open("test", endpoint);
  }

  public Simulator simulator() {
    return simulator;
  }

  public CriConnection connection() {
    return connection;
  }

  public RuntimeClient runtime() {
    return connection.runtime();
  }

  public ImageClient images() {
    return connection.images();
  }

  public static PodSandboxConfig pod(String name) {
    return PodSandboxConfig.newBuilder()
        .setMetadata(
            PodSandboxMetadata.newBuilder()
                .setName(name)
                .setNamespace("default")
                .setUid("uid-" + name))
        .putLabels("app", name)
        .setHostname(name)
        .build();
  }

  public static ContainerConfig container(String name, String... command) {
    return ContainerConfig.newBuilder()
        .setMetadata(ContainerMetadata.newBuilder().setName(name))
        .setImage(ImageSpec.newBuilder().setImage(IMAGE))
        .addAllCommand(List.of(command))
        .putLabels("container", name)
        .setLogPath(name + ".log")
        .build();
  }

  public void pull(String image, String handler) {
    images()
        .pullImage(
            ImageSpec.newBuilder().setImage(image).setRuntimeHandler(handler).build(),
            AuthConfig.getDefaultInstance(),
            PodSandboxConfig.getDefaultInstance());
  }

  /// A running container in a new pod of its own; answers its id.
  public String start(PodSandboxConfig pod, ContainerConfig container) {
    pull(IMAGE, "");
    String sandbox = runtime().runPodSandbox(pod, "");
    String id = runtime().createContainer(sandbox, container, pod);
    runtime().startContainer(id);
    return id;
  }

  public ContainerStatus status(String container) {
    return runtime().containerStatus(container, false).getStatus();
  }

  public ContainerStatus awaitEnd(String container) {
    Await.until(
        "the container ends",
        () -> status(container).getState() == ContainerState.CONTAINER_EXITED);
    return status(container);
  }

  @Override
  public void close() {
    connection.close();
    simulator.close();
    world.close();
    transport.close();
  }
}
