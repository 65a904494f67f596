package dev.berth.sim;

import static dev.berth.sim.TestService.container;
import static dev.berth.sim.TestService.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.CriException;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ExecSyncResponse;
import dev.berth.cri.v1.LinuxContainerResources;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ContainersTest {
  private final TestService service = new TestService("linux/amd64");

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void aSleepEndsWhenItsTimeIsOverAndNeedsNoThread() {
    String id = service.start(pod("a"), container("main", "sleep", "60"));
    assertThat(service.status(id).getState()).isEqualTo(ContainerState.CONTAINER_RUNNING);

    service.time.advance(Duration.ofSeconds(60));

    var status = service.status(id);
    assertThat(status.getState()).isEqualTo(ContainerState.CONTAINER_EXITED);
    assertThat(status.getExitCode()).isZero();
    assertThat(status.getReason()).isEqualTo("Completed");
    assertThat(status.getFinishedAt() - status.getStartedAt()).isEqualTo(60_000_000_000L);
  }

  @Test
  void outputGoesToTheLogInTheFormatOfCri(@TempDir Path logs) throws Exception {
    PodSandboxConfig pod = pod("a").toBuilder().setLogDirectory(logs.toString()).build();
    String id =
        service.start(
            pod, container("main", "sh", "-c", "echo out; echo err >&2; printf rest; exit 3"));

    assertThat(service.awaitEnd(id).getExitCode()).isEqualTo(3);

    assertThat(Files.readAllLines(logs.resolve("main.log")))
        .containsExactly(
            "2026-01-02T03:04:05Z stdout F out",
            "2026-01-02T03:04:05Z stderr F err",
            "2026-01-02T03:04:05Z stdout P rest");
    assertThat(service.status(id).getLogPath()).isEqualTo(logs.resolve("main.log").toString());
  }

  @Test
  void aLogThatWasMovedAwayIsBegunAnew(@TempDir Path logs) throws Exception {
    PodSandboxConfig pod = pod("a").toBuilder().setLogDirectory(logs.toString()).build();
    Path log = logs.resolve("main.log");
    String id =
        service.start(
            pod, container("main", "sh", "-c", "while true; do echo tick; sleep 1; done"));
    Await.until("a line is written", () -> log.toFile().length() > 0);
    Files.move(log, logs.resolve("old.log"));

    service.runtime().reopenContainerLog(id);
    service.time.advance(Duration.ofSeconds(1));

    Await.until("a line is in the new file", () -> log.toFile().length() > 0);
    service.runtime().stopContainer(id, Duration.ZERO);
    assertThat(service.status(id).getExitCode()).isEqualTo(137);
  }

  @Test
  void aContainerThatIgnoresTheSignalIsKilledAfterItsGrace() throws Exception {
    String id =
        service.start(
            pod("a"),
            container("main", "sh", "-c", "trap '' TERM; while true; do sleep 100; done"));
    Await.until("it sleeps", () -> service.time.waiting() == 1);

    Thread stopping =
        Thread.ofVirtual().start(() -> service.runtime().stopContainer(id, Duration.ofSeconds(30)));
    Await.until("the grace begins", () -> service.time.waiting() == 2);
    service.time.advance(Duration.ofSeconds(29));
    assertThat(service.status(id).getState()).isEqualTo(ContainerState.CONTAINER_RUNNING);
    service.time.advance(Duration.ofSeconds(1));
    stopping.join();

    assertThat(service.status(id).getExitCode()).isEqualTo(137);
  }

  @Test
  void commandsRunBesideTheContainerAndSeeItsFiles() {
    String id =
        service.start(
            pod("a"),
            container(
                "main", "sh", "-c", "touch /tmp/healthy; sleep 30; rm /tmp/healthy; sleep 600"));
    Await.until("it sleeps", () -> service.time.waiting() == 1);

    assertThat(exec(id, "cat", "/tmp/healthy").getExitCode()).isZero();
    service.time.advance(Duration.ofSeconds(30));
    Await.until("it sleeps again", () -> service.time.waiting() == 1);

    ExecSyncResponse missing = exec(id, "cat", "/tmp/healthy");
    assertThat(missing.getExitCode()).isEqualTo(1);
    assertThat(missing.getStderr().toStringUtf8())
        .isEqualTo("cat: can't open '/tmp/healthy': No such file or directory\n");
    assertThatThrownBy(() -> exec(id, "nope"))
        .isInstanceOf(CriException.class)
        .hasMessageContaining("exec: \"nope\": executable file not found in $PATH");
  }

  @Test
  void aCommandThatTakesTooLongIsKilled() {
    String id = service.start(pod("a"), container("main", "nginx"));
    Thread.ofVirtual()
        .start(
            () -> {
              Await.until("sleep and limit wait", () -> service.time.waiting() == 2);
              service.time.advance(Duration.ofSeconds(5));
            });

    assertThatThrownBy(
            () -> service.runtime().execSync(id, List.of("sleep", "10"), Duration.ofSeconds(5)))
        .hasMessageContaining("timeout 5s exceeded: context deadline exceeded");
  }

  @Test
  void updatedResourcesAreSeenAndTheRestStays() {
    String id = service.start(pod("a"), container("main", "nginx"));
    service
        .runtime()
        .updateContainerResources(
            UpdateContainerResourcesRequest.newBuilder()
                .setContainerId(id)
                .setLinux(LinuxContainerResources.newBuilder().setCpuShares(512))
                .build());
    service
        .runtime()
        .updateContainerResources(
            UpdateContainerResourcesRequest.newBuilder()
                .setContainerId(id)
                .setLinux(LinuxContainerResources.newBuilder().setMemoryLimitInBytes(1 << 20))
                .build());

    LinuxContainerResources linux = service.status(id).getResources().getLinux();
    assertThat(linux.getCpuShares()).isEqualTo(512);
    assertThat(linux.getMemoryLimitInBytes()).isEqualTo(1 << 20);
    assertThat(service.runtime().containerStats(id).getMemory().getWorkingSetBytes().getValue())
        .isEqualTo(1 << 20);
  }

  @Test
  void usageGrowsWithTimeAndFollowsThePodsAnnotations() {
    PodSandboxConfig pod =
        pod("a").toBuilder()
            .putAnnotations("sim.berth.dev/cpu", "250m")
            .putAnnotations("sim.berth.dev/memory", "64Mi")
            .build();
    String id = service.start(pod, container("main", "nginx"));

    service.time.advance(Duration.ofSeconds(10));

    var stats = service.runtime().containerStats(id);
    assertThat(stats.getCpu().getUsageCoreNanoSeconds().getValue()).isEqualTo(2_500_000_000L);
    assertThat(stats.getMemory().getWorkingSetBytes().getValue()).isEqualTo(64L << 20);
  }

  private ExecSyncResponse exec(String id, String... command) {
    return service.runtime().execSync(id, List.of(command), Duration.ZERO);
  }
}
