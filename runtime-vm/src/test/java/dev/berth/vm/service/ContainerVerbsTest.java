package dev.berth.vm.service;

import static dev.berth.vm.service.SandboxVerbsTest.refused;
import static dev.berth.vm.service.ServiceUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ContainerStatsRequest;
import dev.berth.cri.v1.ExecSyncRequest;
import dev.berth.cri.v1.ExecSyncResponse;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.KeyValue;
import dev.berth.cri.v1.LinuxContainerResources;
import dev.berth.cri.v1.ListPodSandboxStatsRequest;
import dev.berth.cri.v1.Mount;
import dev.berth.cri.v1.ReopenContainerLogRequest;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import dev.berth.vm.guest.model.GuestContainer;
import dev.berth.vm.guest.model.TreeEntry.TreeFile;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ContainerVerbsTest {
  @TempDir private Path directory;
  private final FakeHost host = new FakeHost();
  private ServiceUnderTest service;
  private String sandbox;

  @BeforeEach
  void start() throws IOException {
    service = new ServiceUnderTest(host, directory);
    sandbox = service.run(service.pod("pod"));
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private String running(ContainerConfig config) {
    String id = service.create(sandbox, config);
    service.start(id);
    return id;
  }

  @Test
  void theGuestGetsCommandEnvironmentAndUser() {
    ContainerConfig config =
        ServiceUnderTest.container("main").toBuilder()
            .addArgs("hi")
            .addEnvs(KeyValue.newBuilder().setKey("A").setValue(ByteString.copyFromUtf8("b")))
            .build();

    GuestContainer made = host.guest(sandbox).program(running(config)).config;

    assertThat(made.args()).containsExactly("hi");
    assertThat(made.environment()).contains("IMAGE=1", "A=b", "HOSTNAME=pod");
    assertThat(made.workingDirectory()).isEqualTo("/work");
    assertThat(made.user().user()).isEqualTo("1000");
    assertThat(made.imageDisk()).isEqualTo("image0");
    assertThat(host.machine(sandbox).disks).containsOnlyKeys(0);
  }

  @Test
  void containersOfOneImageShareItsDiskUntilTheLastIsRemoved() {
    String one = running(ServiceUnderTest.container("one", "sleep"));
    String two = running(ServiceUnderTest.container("two", "sleep"));
    assertThat(host.machine(sandbox).disks).hasSize(1);

    remove(one);
    assertThat(host.machine(sandbox).disks).hasSize(1);
    remove(two);

    assertThat(host.machine(sandbox).disks).isEmpty();
    assertThat(host.guest(sandbox).programs).isEmpty();
  }

  @Test
  void moreImagesThanDisksAreRefused() {
    for (int i = 0; i < 10; i++) {
      host.addImage("test.berth.dev/i%d:1".formatted(i), List.of("sleep"));
      service.create(sandbox, ofImage("c" + i, "test.berth.dev/i%d:1".formatted(i)));
    }

    refused(
        () -> service.create(sandbox, ServiceUnderTest.container("last", "sleep")),
        Status.Code.RESOURCE_EXHAUSTED,
        ".*more than 10 different images.*");
  }

  private static ContainerConfig ofImage(String name, String image) {
    return ServiceUnderTest.container(name).toBuilder()
        .setImage(ImageSpec.newBuilder().setImage(image))
        .build();
  }

  @Test
  void aContainerThatCannotBeCreatedLeavesNothing() {
    refused(
        () -> service.create(sandbox, ServiceUnderTest.container("main", "uncreatable")),
        Status.Code.INVALID_ARGUMENT,
        ".*not to be created.*");

    assertThat(host.machine(sandbox).disks).isEmpty();
    assertThat(directory.resolve("state/containers")).isEmptyDirectory();
    service.create(sandbox, ServiceUnderTest.container("main", "sleep"));
  }

  @Test
  void aProgramThatIsMissingEndsItsContainer() {
    String id = service.create(sandbox, ServiceUnderTest.container("main", "missing"));

    refused(() -> service.start(id), Status.Code.UNKNOWN, "failed to start container .*");

    assertThat(service.status(id).getState()).isEqualTo(ContainerState.CONTAINER_EXITED);
    assertThat(service.status(id).getExitCode()).isEqualTo(128);
    assertThat(service.status(id).getReason()).isEqualTo("StartError");
  }

  @Test
  void theStopSignalOfTheImageComesBeforeTheKill() {
    String id = running(ServiceUnderTest.container("main", "sleep"));
    service.stop(id, 30);
    assertThat(service.status(id).getExitCode()).isEqualTo(131);

    String deaf = running(ServiceUnderTest.container("deaf", "deaf"));
    service.stop(deaf, 1);
    assertThat(service.status(deaf).getExitCode()).isEqualTo(137);
  }

  @Test
  void outputIsLoggedAndTheLogFollowsItsRotation() throws IOException {
    String id = running(ServiceUnderTest.container("main", "sleep"));
    host.guest(sandbox).print(id, "one\n");
    Path log = directory.resolve("main.log");
    Files.move(log, directory.resolve("old.log"));

    var _ =
        service
            .runtime()
            .reopenContainerLog(ReopenContainerLogRequest.newBuilder().setContainerId(id).build());
    host.guest(sandbox).print(id, "two\n");

    assertThat(Files.readString(directory.resolve("old.log"))).matches("\\S+ stdout F one\n");
    assertThat(Files.readString(log)).matches("\\S+ stdout F two\n");
  }

  @Test
  void theTerminationMessageReachesTheNode() throws IOException {
    Path file = Files.createDirectories(directory.resolve("pods/containers/main")).resolve("0.m");
    Files.writeString(file, "");
    String id =
        running(
            ServiceUnderTest.container("main", "sleep").toBuilder()
                .addMounts(
                    Mount.newBuilder()
                        .setContainerPath("/dev/termination-log")
                        .setHostPath(file.toString()))
                .build());
    host.guest(sandbox).program(id).message = "ended well";

    host.guest(sandbox).end(id, 0);

    assertThat(Files.readString(file)).isEqualTo("ended well");
    assertThat(service.status(id).getReason()).isEqualTo("Completed");
  }

  @Test
  void filesOfVolumesAreDeliveredAgainWhenTheyChange() throws IOException {
    Path volume =
        Files.createDirectories(directory.resolve("volumes/kubernetes.io~configmap/settings"));
    Files.writeString(Files.createDirectory(volume.resolve("..v1")).resolve("key"), "old");
    Files.createSymbolicLink(volume.resolve("..data"), Path.of("..v1"));
    var _ =
        running(
            ServiceUnderTest.container("main", "sleep").toBuilder()
                .addMounts(
                    Mount.newBuilder()
                        .setContainerPath("/settings")
                        .setHostPath(volume.toString())
                        .setReadonly(true))
                .build());
    assertThat(delivered()).isEqualTo("old");

    Files.writeString(Files.createDirectory(volume.resolve("..v2")).resolve("key"), "new");
    Files.createSymbolicLink(volume.resolve("..next"), Path.of("..v2"));
    Files.move(volume.resolve("..next"), volume.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);

    await(() -> delivered().equals("new"));
  }

  private String delivered() {
    return host.guest(sandbox).trees.entrySet().stream()
        .filter(tree -> tree.getKey().startsWith("files-"))
        .map(tree -> (TreeFile) tree.getValue().getFirst())
        .map(file -> new String(file.bytes(), java.nio.charset.StandardCharsets.UTF_8))
        .findFirst()
        .orElse("");
  }

  @Test
  void directoriesOfTheNodeAreRefused() {
    refused(
        () ->
            service.create(
                sandbox,
                ServiceUnderTest.container("main", "sleep").toBuilder()
                    .addMounts(
                        Mount.newBuilder()
                            .setContainerPath("/data")
                            .setHostPath(directory.toString()))
                    .build()),
        Status.Code.INVALID_ARGUMENT,
        "container main cannot be created in a virtual machine: the source of its mount at /data is"
            + " a directory of the node, .*Use configMap, .*");
  }

  @Test
  void commandsRunBesideTheContainer() {
    String id = running(ServiceUnderTest.container("main", "sleep"));

    assertThat(exec(id, 0, "echo", "hi").getStdout().toStringUtf8()).isEqualTo("hi\n");
    assertThat(exec(id, 0, "exit", "7").getExitCode()).isEqualTo(7);
    refused(
        () -> exec(id, 1, "hang"),
        Status.Code.DEADLINE_EXCEEDED,
        "failed to exec in container: timeout 1s exceeded: context deadline exceeded");
    refused(
        () -> exec(id, 0, "missing"),
        Status.Code.UNKNOWN,
        "failed to exec in container: failed to start exec .*\"missing\": executable file not found"
            + " in \\$PATH.*");
  }

  private ExecSyncResponse exec(String id, long timeout, String... command) {
    return service
        .runtime()
        .execSync(
            ExecSyncRequest.newBuilder()
                .setContainerId(id)
                .addAllCmd(List.of(command))
                .setTimeout(timeout)
                .build());
  }

  @Test
  void limitsChangeInTheGuestAndNeverExceedIt() {
    String id = running(ServiceUnderTest.container("main", "sleep"));

    update(id, 64 << 20);
    assertThat(host.guest(sandbox).program(id).limits.memoryBytes()).isEqualTo(64 << 20);
    assertThat(service.status(id).getResources().getLinux().getMemoryLimitInBytes())
        .isEqualTo(64 << 20);
    refused(
        () -> update(id, 1L << 30),
        Status.Code.FAILED_PRECONDITION,
        ".*its virtual machine has 128 MiB.*");
  }

  private void update(String id, long memory) {
    var _ =
        service
            .runtime()
            .updateContainerResources(
                UpdateContainerResourcesRequest.newBuilder()
                    .setContainerId(id)
                    .setLinux(LinuxContainerResources.newBuilder().setMemoryLimitInBytes(memory))
                    .build());
  }

  @Test
  void usageOfAGuestThatHangsIsLeftOut() throws IOException {
    String id = running(ServiceUnderTest.container("main", "sleep"));
    var stats =
        service
            .runtime()
            .containerStats(ContainerStatsRequest.newBuilder().setContainerId(id).build())
            .getStats();
    assertThat(stats.getMemory().getWorkingSetBytes().getValue()).isEqualTo(2 << 20);
    String other = service.run(service.pod("other"));

    host.guest(sandbox).hangs = true;

    assertThat(
            service
                .runtime()
                .listPodSandboxStats(ListPodSandboxStatsRequest.getDefaultInstance())
                .getStatsList())
        .extracting(pod -> pod.getAttributes().getId())
        .containsExactly(other);
  }

  private void remove(String id) {
    var _ =
        service
            .runtime()
            .removeContainer(
                dev.berth.cri.v1.RemoveContainerRequest.newBuilder().setContainerId(id).build());
  }
}
