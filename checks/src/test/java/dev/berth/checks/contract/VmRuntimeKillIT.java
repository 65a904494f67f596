package dev.berth.checks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ExecSyncRequest;
import dev.berth.cri.v1.ListPodSandboxRequest;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxState;
import dev.berth.cri.v1.RemovePodSandboxRequest;
import dev.berth.cri.v1.StopPodSandboxRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The runtime of virtual machines, killed while pods start and end.
class VmRuntimeKillIT {
  private static final int ROUNDS = 5;
  private static final String COUNTS = "i=0; while true; do i=$((i+1)); echo $i; sleep 0.2; done";

  @TempDir private Path directory;

  @Test
  void nothingIsLostAndNothingIsLeft() throws Exception {
    VmRuntimeHost host = VmRuntimeHost.require(directory);
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Path logs = Files.createDirectory(directory.resolve("logs"));
    String kept = "";
    String counter = "";
    for (int round = 0; round < ROUNDS; round++) {
      try (VmRuntimeProcess service = VmRuntimeProcess.start(host);
          Cri cri = new Cri(host.socket())) {
        cri.logTo(logs);
        if (round == 0) {
          PodSandboxConfig pod = cri.pod("kept");
          kept = cri.run(pod);
          counter = cri.create(kept, pod, Cri.container("counter", "sh", "-c", COUNTS));
          cri.start(counter);
        }
        assertThat(cri.status(counter).getState())
            .as("seed %d round %d", seed, round)
            .isEqualTo(ContainerState.CONTAINER_RUNNING);
        removeOthers(cri, kept);
        int number = round;
        Thread work = Thread.ofVirtual().start(() -> startAndEnd(cri, "pod-" + number));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(2500)));
        service.kill();
        work.join();
      }
    }
    Path log = logs.resolve("counter.log");
    try (VmRuntimeProcess _ = VmRuntimeProcess.start(host);
        Cri cri = new Cri(host.socket())) {
      int before = VmRuntimeProcess.lines(log).size();
      Cri.await(() -> VmRuntimeProcess.lines(log).size() > before + 3);
      cri.clear();
    }
    assertCountsWithoutGap(log, seed);
    host.assertNothingIsLeft();
  }

  /// Every call may fail at any time: the service is killed meanwhile.
  private static void startAndEnd(Cri cri, String name) {
    try {
      PodSandboxConfig pod = cri.pod(name);
      String sandbox = cri.run(pod);
      String container = cri.create(sandbox, pod, Cri.container(name, "sleep", "1000"));
      cri.start(container);
      cri.runtime()
          .stopPodSandbox(StopPodSandboxRequest.newBuilder().setPodSandboxId(sandbox).build());
      cri.runtime()
          .removePodSandbox(RemovePodSandboxRequest.newBuilder().setPodSandboxId(sandbox).build());
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode()).isEqualTo(io.grpc.Status.Code.UNAVAILABLE);
    }
  }

  /// What is listed works: a command runs in what is running, and it can be removed.
  private static void removeOthers(Cri cri, String kept) {
    List<PodSandbox> pods =
        cri.runtime().listPodSandbox(ListPodSandboxRequest.getDefaultInstance()).getItemsList();
    for (PodSandbox pod : pods) {
      if (!pod.getId().equals(kept)) {
        if (pod.getState() == PodSandboxState.SANDBOX_READY) {
          PodSandboxConfig config = cri.pod(pod.getMetadata().getName());
          String probe = cri.create(pod.getId(), config, Cri.container("probe", "sleep", "1000"));
          cri.start(probe);
          assertThat(
                  cri.runtime()
                      .execSync(
                          ExecSyncRequest.newBuilder()
                              .setContainerId(probe)
                              .addCmd("hostname")
                              .build())
                      .getStdout()
                      .toStringUtf8())
              .isEqualTo(pod.getMetadata().getName() + "\n");
        }
        cri.runtime()
            .removePodSandbox(
                RemovePodSandboxRequest.newBuilder().setPodSandboxId(pod.getId()).build());
      }
    }
    assertThat(
            cri.runtime().listPodSandbox(ListPodSandboxRequest.getDefaultInstance()).getItemsList())
        .hasSize(1);
  }

  private static void assertCountsWithoutGap(Path log, long seed) {
    List<String> lines = VmRuntimeProcess.lines(log);
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i)).as("seed %d", seed).endsWith(" stdout F " + (i + 1));
    }
  }
}
