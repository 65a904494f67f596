package dev.berth.checks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.checks.containerd.TestImages;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerMetadata;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ContainerStatus;
import dev.berth.cri.v1.ContainerStatusRequest;
import dev.berth.cri.v1.CreateContainerRequest;
import dev.berth.cri.v1.ImageServiceGrpc;
import dev.berth.cri.v1.ImageServiceGrpc.ImageServiceBlockingStub;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.LinuxPodSandboxConfig;
import dev.berth.cri.v1.ListPodSandboxRequest;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.cri.v1.RemovePodSandboxRequest;
import dev.berth.cri.v1.RunPodSandboxRequest;
import dev.berth.cri.v1.RuntimeServiceGrpc;
import dev.berth.cri.v1.RuntimeServiceGrpc.RuntimeServiceBlockingStub;
import dev.berth.cri.v1.StartContainerRequest;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// A runtime service without a client in between, so that its own codes and words are seen.
public final class Cri implements AutoCloseable {
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final ManagedChannel channel;
  private Path logs = Path.of("");

  Cri(Path socket) {
    this.channel =
        NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
            .eventLoopGroup(loops)
            .channelType(EpollDomainSocketChannel.class)
            .overrideAuthority("localhost")
            .usePlaintext()
            .build();
  }

  ManagedChannel channel() {
    return channel;
  }

  RuntimeServiceBlockingStub runtime() {
    return RuntimeServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  ImageServiceBlockingStub images() {
    return ImageServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  /// Each test has a directory of its own.
  void logTo(Path directory) {
    logs = directory;
  }

  Path logs() {
    return logs;
  }

  PodSandboxConfig pod(String name) {
    return PodSandboxConfig.newBuilder()
        .setMetadata(
            PodSandboxMetadata.newBuilder()
                .setName(name)
                .setNamespace("contract")
                .setUid("uid-" + name))
        .setHostname(name)
        .setLogDirectory(logs.toString())
        .putLabels("app", name)
        .putAnnotations("note", "kept")
        .setLinux(LinuxPodSandboxConfig.getDefaultInstance())
        .build();
  }

  static ContainerConfig container(String name, String... command) {
    return ContainerConfig.newBuilder()
        .setMetadata(ContainerMetadata.newBuilder().setName(name))
        .setImage(ImageSpec.newBuilder().setImage(TestImages.BUSYBOX))
        .addAllCommand(List.of(command))
        .setLogPath(name + ".log")
        .putLabels("container", name)
        .build();
  }

  String run(PodSandboxConfig pod) {
    return runtime()
        .runPodSandbox(RunPodSandboxRequest.newBuilder().setConfig(pod).build())
        .getPodSandboxId();
  }

  String create(String sandbox, PodSandboxConfig pod, ContainerConfig config) {
    return runtime()
        .createContainer(
            CreateContainerRequest.newBuilder()
                .setPodSandboxId(sandbox)
                .setConfig(config)
                .setSandboxConfig(pod)
                .build())
        .getContainerId();
  }

  /// A running container in a pod of its own.
  String start(String podName, ContainerConfig config) {
    PodSandboxConfig pod = pod(podName);
    String id = create(run(pod), pod, config);
    start(id);
    return id;
  }

  void start(String container) {
    runtime().startContainer(StartContainerRequest.newBuilder().setContainerId(container).build());
  }

  ContainerStatus status(String container) {
    return runtime()
        .containerStatus(ContainerStatusRequest.newBuilder().setContainerId(container).build())
        .getStatus();
  }

  ContainerStatus awaitEnd(String container) {
    await(() -> status(container).getState() == ContainerState.CONTAINER_EXITED);
    return status(container);
  }

  public static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("did not happen in time");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /// The call is refused with this code, and words that match the pattern as a whole.
  static void refused(ThrowingCallable call, Status.Code code, String pattern) {
    StatusRuntimeException e = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(e).as("the call was not refused").isNotNull();
    assertThat(e.getStatus().getDescription()).matches(pattern);
    assertThat(e.getStatus().getCode()).isEqualTo(code);
  }

  void clear() {
    runtime()
        .listPodSandbox(ListPodSandboxRequest.getDefaultInstance())
        .getItemsList()
        .forEach(
            pod ->
                runtime()
                    .removePodSandbox(
                        RemovePodSandboxRequest.newBuilder().setPodSandboxId(pod.getId()).build()));
  }

  @Override
  public void close() {
    channel.shutdownNow();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
