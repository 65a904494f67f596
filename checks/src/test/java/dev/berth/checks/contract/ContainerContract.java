package dev.berth.checks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.berth.checks.containerd.TestImages;
import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ContainerStateValue;
import dev.berth.cri.v1.ContainerStatus;
import dev.berth.cri.v1.CreateContainerRequest;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.KeyValue;
import dev.berth.cri.v1.LinuxContainerConfig;
import dev.berth.cri.v1.LinuxContainerResources;
import dev.berth.cri.v1.ListContainersRequest;
import dev.berth.cri.v1.Mount;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.RemoveContainerRequest;
import dev.berth.cri.v1.StopContainerRequest;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What happens to containers.
interface ContainerContract extends RuntimeUnderTest {
  String WAITS = "trap 'exit 3' TERM; echo up; while true; do sleep 0.1; done";

  @Test
  default void aContainerIsCreatedRunsAndEnds() {
    PodSandboxConfig pod = cri().pod("life");
    ContainerConfig config = Cri.container("main", "sh", "-c", "sleep 0.2; exit 7");
    String id = cri().create(cri().run(pod), pod, config);
    assertThat(id).matches("[0-9a-f]{64}");
    ContainerStatus created = cri().status(id);
    assertThat(created.getState()).isEqualTo(ContainerState.CONTAINER_CREATED);
    assertThat(created.getMetadata()).isEqualTo(config.getMetadata());
    assertThat(created.getLabelsMap()).isEqualTo(config.getLabelsMap());
    assertThat(created.getImage().getImage()).isEqualTo(TestImages.BUSYBOX);
    assertThat(created.getImageRef()).contains("sha256:");
    assertThat(created.getLogPath()).isEqualTo(cri().logs().resolve("main.log").toString());
    assertThat(created.getCreatedAt()).isPositive();
    assertThat(created.getStartedAt()).isZero();

    cri().start(id);
    assertThat(cri().status(id).getStartedAt()).isGreaterThan(created.getCreatedAt());
    ContainerStatus ended = cri().awaitEnd(id);

    assertThat(ended.getExitCode()).isEqualTo(7);
    assertThat(ended.getReason()).isEqualTo("Error");
    assertThat(ended.getFinishedAt()).isGreaterThan(ended.getStartedAt());
  }

  @Test
  default void aContainerThatEndsWellIsCompleted() {
    ContainerStatus ended = cri().awaitEnd(cri().start("well", Cri.container("main", "true")));

    assertThat(ended.getExitCode()).isZero();
    assertThat(ended.getReason()).isEqualTo("Completed");
  }

  @Test
  default void whatCannotBeCreatedIsRefused() {
    PodSandboxConfig pod = cri().pod("refused");
    String sandbox = cri().run(pod);
    Cri.refused(
        () ->
            cri()
                .runtime()
                .createContainer(
                    CreateContainerRequest.newBuilder()
                        .setPodSandboxId(sandbox)
                        .setSandboxConfig(pod)
                        .build()),
        Status.Code.UNKNOWN,
        "container config must include metadata");
    Cri.refused(
        () -> cri().create("nope", pod, Cri.container("main", "true")),
        Status.Code.NOT_FOUND,
        "failed to find sandbox id \"nope\": not found");
    ContainerConfig unknownImage =
        Cri.container("main", "true").toBuilder()
            .setImage(ImageSpec.newBuilder().setImage("test.berth.dev/none:1"))
            .build();
    Cri.refused(
        () -> cri().create(sandbox, pod, unknownImage),
        Status.Code.NOT_FOUND,
        "failed to resolve image \"test.berth.dev/none:1\": not found");
    String id = cri().create(sandbox, pod, Cri.container("main", "true"));
    String name = "main_refused_contract_uid-refused_0";
    Cri.refused(
        () -> cri().create(sandbox, pod, Cri.container("main", "true")),
        Status.Code.UNKNOWN,
        "failed to reserve container name \"%s\": name \"%s\" is reserved for \"%s\""
            .formatted(name, name, id));
  }

  @Test
  default void aContainerStartsOnce() {
    String id = cri().start("once", Cri.container("main", "sh", "-c", WAITS));
    Cri.refused(
        () -> cri().start(id),
        Status.Code.UNKNOWN,
        "failed to set starting state for container \"%s\": container is in CONTAINER_RUNNING state"
            .formatted(id));
    stop(id, 0);
    Cri.refused(
        () -> cri().start(id), Status.Code.UNKNOWN, ".* container is in CONTAINER_EXITED state");
  }

  @Test
  default void aSignalComesBeforeTheKill() throws IOException {
    String id = cri().start("signal", Cri.container("main", "sh", "-c", WAITS));
    Path log = cri().logs().resolve("main.log");
    Cri.await(() -> log.toFile().length() > 0);

    stop(id, 10);
    stop(id, 10);

    assertThat(cri().status(id).getExitCode()).isEqualTo(3);
    assertThat(Files.readAllLines(log)).hasSize(1);
  }

  @Test
  default void whoeverIgnoresTheSignalIsKilled() {
    String script = "trap '' TERM; echo up; while true; do sleep 0.1; done";
    String id = cri().start("deaf", Cri.container("main", "sh", "-c", script));
    Cri.await(() -> cri().logs().resolve("main.log").toFile().length() > 0);

    stop(id, 1);

    assertThat(cri().status(id).getExitCode()).isEqualTo(137);
    assertThat(cri().status(id).getReason()).isEqualTo("Error");
  }

  @Test
  default void stoppingWhatWasNotStartedDoesNothing() {
    PodSandboxConfig pod = cri().pod("early");
    String id = cri().create(cri().run(pod), pod, Cri.container("main", "true"));

    stop(id, 5);

    assertThat(cri().status(id).getState()).isEqualTo(ContainerState.CONTAINER_CREATED);
    cri().start(id);
    cri().awaitEnd(id);
  }

  @Test
  default void aRunningContainerMayBeRemoved() {
    String id = cri().start("remove", Cri.container("main", "sh", "-c", WAITS));
    RemoveContainerRequest request = RemoveContainerRequest.newBuilder().setContainerId(id).build();

    cri().runtime().removeContainer(request);
    cri().runtime().removeContainer(request);

    Cri.refused(
        () -> cri().status(id),
        Status.Code.NOT_FOUND,
        "an error occurred when try to find container \"%s\": not found".formatted(id));
  }

  @Test
  default void aListIsFiltered() {
    PodSandboxConfig pod = cri().pod("list");
    String sandbox = cri().run(pod);
    String one = cri().create(sandbox, pod, Cri.container("one", "sh", "-c", WAITS));
    String two = cri().create(sandbox, pod, Cri.container("two", "true"));
    cri().start(one);

    assertThat(ids(ContainerFilter.getDefaultInstance())).containsExactlyInAnyOrder(one, two);
    assertThat(
            ids(
                ContainerFilter.newBuilder()
                    .setState(
                        ContainerStateValue.newBuilder().setState(ContainerState.CONTAINER_RUNNING))
                    .build()))
        .containsExactly(one);
    assertThat(ids(ContainerFilter.newBuilder().setId(two.substring(0, 12)).build()))
        .containsExactly(two);
    assertThat(
            ids(
                ContainerFilter.newBuilder()
                    .setPodSandboxId(sandbox.substring(0, 12))
                    .putLabelSelector("container", "two")
                    .build()))
        .containsExactly(two);
  }

  @Test
  default void resourcesCanBeChanged() {
    LinuxContainerResources resources =
        LinuxContainerResources.newBuilder()
            .setCpuPeriod(100_000)
            .setCpuQuota(50_000)
            .setCpuShares(512)
            .setMemoryLimitInBytes(64 << 20)
            .build();
    ContainerConfig config =
        Cri.container("main", "sh", "-c", WAITS).toBuilder()
            .setLinux(LinuxContainerConfig.newBuilder().setResources(resources))
            .build();
    String id = cri().start("resources", config);
    assertThat(cri().status(id).getResources().getLinux())
        .isEqualTo(resources.toBuilder().setMemorySwapLimitInBytes(64 << 20).build());

    cri()
        .runtime()
        .updateContainerResources(
            UpdateContainerResourcesRequest.newBuilder()
                .setContainerId(id)
                .setLinux(LinuxContainerResources.newBuilder().setCpuShares(256))
                .build());

    assertThat(cri().status(id).getResources().getLinux())
        .isEqualTo(
            resources.toBuilder().setCpuShares(256).setMemorySwapLimitInBytes(64 << 20).build());
  }

  @Test
  default void variablesAndMountsReachTheProcess() throws IOException {
    Path file = Files.writeString(cri().logs().resolve("mounted"), "from the host\n");
    ContainerConfig config =
        Cri.container("main", "sh", "-c", "echo $GREETING; cat /etc/given; hostname").toBuilder()
            .addEnvs(
                KeyValue.newBuilder().setKey("GREETING").setValue(ByteString.copyFromUtf8("hi")))
            .addMounts(
                Mount.newBuilder()
                    .setContainerPath("/etc/given")
                    .setHostPath(file.toString())
                    .setReadonly(true))
            .build();

    String id = cri().start("inside", config);
    cri().awaitEnd(id);

    assertThat(Files.readString(cri().logs().resolve("main.log")))
        .containsSubsequence(" stdout F hi\n", " stdout F from the host\n", " stdout F inside\n");
  }

  private void stop(String id, long grace) {
    cri()
        .runtime()
        .stopContainer(
            StopContainerRequest.newBuilder().setContainerId(id).setTimeout(grace).build());
  }

  private List<String> ids(ContainerFilter filter) {
    return cri()
        .runtime()
        .listContainers(ListContainersRequest.newBuilder().setFilter(filter).build())
        .getContainersList()
        .stream()
        .map(Container::getId)
        .toList();
  }
}
