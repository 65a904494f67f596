package dev.berth.vm.service;

import dev.berth.api.Problem;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriServer;
import dev.berth.cri.CriTransport;
import dev.berth.cri.serving.RandomIds;
import dev.berth.cri.streaming.StreamingServer;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerMetadata;
import dev.berth.cri.v1.ContainerStatus;
import dev.berth.cri.v1.ContainerStatusRequest;
import dev.berth.cri.v1.CreateContainerRequest;
import dev.berth.cri.v1.ImageServiceGrpc;
import dev.berth.cri.v1.ImageServiceGrpc.ImageServiceBlockingStub;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.cri.v1.PodSandboxStatus;
import dev.berth.cri.v1.PodSandboxStatusRequest;
import dev.berth.cri.v1.RemovePodSandboxRequest;
import dev.berth.cri.v1.RunPodSandboxRequest;
import dev.berth.cri.v1.RuntimeServiceGrpc;
import dev.berth.cri.v1.RuntimeServiceGrpc.RuntimeServiceBlockingStub;
import dev.berth.cri.v1.StartContainerRequest;
import dev.berth.cri.v1.StopContainerRequest;
import dev.berth.cri.v1.StopPodSandboxRequest;
import dev.berth.vm.machine.MachineSize;
import dev.berth.vm.pods.PodInventory;
import dev.berth.vm.pods.rules.GuestSizes;
import dev.berth.vm.pods.state.StateDirectory;
import io.grpc.ManagedChannel;
import io.grpc.inprocess.InProcessChannelBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// The service in this process, on a host in memory, and its client.
final class ServiceUnderTest implements AutoCloseable {
  static final GuestSizes SIZES = new GuestSizes(new MachineSize(128, 1), 4);

  private final CriTransport transport = new CriTransport();
  private final StreamingServer streaming;
  private final CriServices services;
  private final CriServer server;
  private final ManagedChannel channel;
  private final Path directory;

  /// @param directory with the state files and the logs
  ServiceUnderTest(FakeHost host, Path directory) throws IOException {
    this.directory = directory;
    PodInventory inventory =
        new PodInventory(StateDirectory.open(directory.resolve("state")), Clock.systemUTC());
    RandomIds ids = new RandomIds(new Random());
    streaming = new StreamingServer(transport, ids::token, (_, _) -> {});
    services =
        new CriServices(
            host.parts(), inventory, SIZES, ids, streaming, new Facts(), Path.of("/machines"));
    String name = UUID.randomUUID().toString();
    server = CriServer.start(transport, new CriEndpoint.InProcess(name), services.start());
    channel = InProcessChannelBuilder.forName(name).build();
  }

  RuntimeServiceBlockingStub runtime() {
    return RuntimeServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  ImageServiceBlockingStub images() {
    return ImageServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  PodSandboxConfig pod(String name) {
    return PodSandboxConfig.newBuilder()
        .setMetadata(
            PodSandboxMetadata.newBuilder()
                .setName(name)
                .setNamespace("default")
                .setUid("uid-" + name))
        .setHostname(name)
        .setLogDirectory(directory.toString())
        .putLabels("app", name)
        .build();
  }

  static ContainerConfig container(String name, String... command) {
    return ContainerConfig.newBuilder()
        .setMetadata(ContainerMetadata.newBuilder().setName(name))
        .setImage(ImageSpec.newBuilder().setImage(FakeHost.IMAGE))
        .addAllCommand(List.of(command))
        .setLogPath(name + ".log")
        .build();
  }

  String run(PodSandboxConfig pod) {
    return run(pod, "");
  }

  String run(PodSandboxConfig pod, String handler) {
    return runtime()
        .runPodSandbox(
            RunPodSandboxRequest.newBuilder().setConfig(pod).setRuntimeHandler(handler).build())
        .getPodSandboxId();
  }

  String create(String sandbox, ContainerConfig config) {
    return runtime()
        .createContainer(
            CreateContainerRequest.newBuilder().setPodSandboxId(sandbox).setConfig(config).build())
        .getContainerId();
  }

  void start(String container) {
    var _ =
        runtime()
            .startContainer(StartContainerRequest.newBuilder().setContainerId(container).build());
  }

  void stop(String container, long grace) {
    var _ =
        runtime()
            .stopContainer(
                StopContainerRequest.newBuilder()
                    .setContainerId(container)
                    .setTimeout(grace)
                    .build());
  }

  void stopSandbox(String id) {
    var _ =
        runtime().stopPodSandbox(StopPodSandboxRequest.newBuilder().setPodSandboxId(id).build());
  }

  void removeSandbox(String id) {
    var _ =
        runtime()
            .removePodSandbox(RemovePodSandboxRequest.newBuilder().setPodSandboxId(id).build());
  }

  PodSandboxStatus sandbox(String id) {
    return runtime()
        .podSandboxStatus(PodSandboxStatusRequest.newBuilder().setPodSandboxId(id).build())
        .getStatus();
  }

  ContainerStatus status(String container) {
    return runtime()
        .containerStatus(ContainerStatusRequest.newBuilder().setContainerId(container).build())
        .getStatus();
  }

  static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("did not happen in time");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /// The service ends; what the host has stays.
  @Override
  public void close() {
    channel.shutdownNow();
    server.close();
    services.close();
    streaming.close();
    transport.close();
  }

  private static final class Facts implements RuntimeFacts {
    @Override
    public String version() {
      return "1.2.3";
    }

    @Override
    public Optional<Problem> unready() {
      return Optional.empty();
    }

    @Override
    public Map<String, String> hypervisor() {
      return Map.of("qemuVersion", "7.2.0");
    }

    @Override
    public List<String> templates() {
      return List.of("128Mi-1");
    }
  }
}
