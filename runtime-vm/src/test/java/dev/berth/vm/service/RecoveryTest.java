package dev.berth.vm.service;

import static dev.berth.vm.service.ServiceUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ListContainersRequest;
import dev.berth.cri.v1.ListPodSandboxRequest;
import dev.berth.cri.v1.PodSandboxState;
import dev.berth.vm.guest.model.GuestContainer;
import dev.berth.vm.guest.model.OutputPosition;
import dev.berth.vm.machine.MachineExit;
import dev.berth.vm.machine.MachineExit.ExitReason;
import dev.berth.vm.pods.state.SandboxPhase;
import dev.berth.vm.pods.state.SandboxRecord;
import dev.berth.vm.pods.state.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A service that is killed, and the next one on the same host.
final class RecoveryTest {
  @TempDir private Path directory;
  private final FakeHost host = new FakeHost();

  private ServiceUnderTest start() throws IOException {
    return new ServiceUnderTest(host, directory);
  }

  @Test
  void podsAreFoundAgainAndNothingOfTheirOutputIsLostOrTwice() throws IOException {
    String sandbox;
    String container;
    try (ServiceUnderTest first = start()) {
      sandbox = first.run(first.pod("kept"));
      container = first.create(sandbox, ServiceUnderTest.container("main", "sleep"));
      first.start(container);
      host.guest(sandbox).print(container, "before\n");
    }
    host.guest(sandbox).print(container, "while nobody listened\n");

    try (ServiceUnderTest next = start()) {
      assertThat(next.sandbox(sandbox).getState()).isEqualTo(PodSandboxState.SANDBOX_READY);
      assertThat(next.sandbox(sandbox).getNetwork().getIp()).isEqualTo("10.9.0.7");
      assertThat(next.status(container).getState()).isEqualTo(ContainerState.CONTAINER_RUNNING);
      Path log = directory.resolve("main.log");
      await(() -> lines(log).size() == 2);
      assertThat(lines(log))
          .satisfiesExactly(
              line -> assertThat(line).endsWith("stdout F before"),
              line -> assertThat(line).endsWith("stdout F while nobody listened"));
      assertThat(host.guest(sandbox).connects.getLast())
          .containsEntry(container, new OutputPosition(7, 0));
      host.guest(sandbox).end(container, 3);
      assertThat(next.status(container).getExitCode()).isEqualTo(3);
      next.removeSandbox(sandbox);
    }
    assertThat(host.isEmpty()).isTrue();
  }

  @Test
  void linesThatWereLoggedBeforeTheirPositionAreNotLoggedTwice() throws IOException {
    String sandbox;
    String container;
    Path position;
    byte[] older;
    try (ServiceUnderTest first = start()) {
      sandbox = first.run(first.pod("kept"));
      container = first.create(sandbox, ServiceUnderTest.container("main", "sleep"));
      first.start(container);
      host.guest(sandbox).print(container, "one\n");
      position = directory.resolve("state/containers/" + container + ".position");
      older = Files.readAllBytes(position);
      host.guest(sandbox).print(container, "two\nthr");
    }
    Files.write(position, older);

    try (ServiceUnderTest next = start()) {
      await(() -> host.guest(sandbox).connects.size() == 2);
      assertThat(host.guest(sandbox).connects.getLast())
          .containsEntry(container, new OutputPosition(11, 0));
      await(() -> next.status(container).getState() == ContainerState.CONTAINER_RUNNING);
      host.guest(sandbox).print(container, "ee\n");
      Path log = directory.resolve("main.log");
      await(() -> lines(log).size() == 4);
      assertThat(lines(log).get(2)).endsWith("stdout P thr");
      assertThat(lines(log).get(3)).endsWith("stdout F ee");
    }
  }

  @Test
  void whatEndedMeanwhileIsReported() throws IOException {
    String sandbox;
    String ended;
    String gone;
    String vanished;
    try (ServiceUnderTest first = start()) {
      sandbox = first.run(first.pod("one"));
      ended = first.create(sandbox, ServiceUnderTest.container("ended", "sleep"));
      gone = first.create(sandbox, ServiceUnderTest.container("gone", "sleep"));
      first.start(ended);
      first.start(gone);
      vanished = first.run(first.pod("two"));
    }
    host.guest(sandbox).end(ended, 5);
    host.guest(sandbox).programs.remove(gone);
    host.machine(vanished).end(new MachineExit(ExitReason.VANISHED, "killed by signal 9"));

    try (ServiceUnderTest next = start()) {
      await(() -> next.status(ended).getState() == ContainerState.CONTAINER_EXITED);
      assertThat(next.status(ended).getExitCode()).isEqualTo(5);
      await(() -> next.status(gone).getState() == ContainerState.CONTAINER_EXITED);
      assertThat(next.status(gone).getMessage()).isEqualTo("the guest does not have it");
      assertThat(next.sandbox(vanished).getState()).isEqualTo(PodSandboxState.SANDBOX_NOTREADY);
    }
  }

  @Test
  void whatWasHalfMadeIsRemoved() throws IOException {
    String sandbox;
    try (ServiceUnderTest first = start()) {
      sandbox = first.run(first.pod("kept"));
      String unfinished = first.create(sandbox, ServiceUnderTest.container("main", "sleep"));
      Path file = directory.resolve("state/containers/" + unfinished + ".json");
      Files.writeString(file, Files.readString(file).replace("CREATED", "CREATING"));
      StateDirectory state = StateDirectory.open(directory.resolve("state"));
      SandboxRecord kept = state.sandboxes().getFirst();
      state.write(
          new SandboxRecord(
              "starting",
              first.pod("half"),
              "",
              true,
              kept.size(),
              SandboxPhase.STARTING,
              1,
              List.of(),
              ""));
      host.networks.put("starting", Optional.empty());
      host.networks.put("unknown", Optional.empty());
      Files.writeString(directory.resolve("state/sandboxes/torn.json"), "{");
    }

    try (ServiceUnderTest next = start()) {
      await(() -> host.guest(sandbox).programs.isEmpty());
      assertThat(host.networks).containsOnlyKeys(sandbox);
      assertThat(directory.resolve("state/containers")).isEmptyDirectory();
      assertThat(
              next.runtime()
                  .listPodSandbox(ListPodSandboxRequest.getDefaultInstance())
                  .getItemsList())
          .hasSize(1);
      assertThat(
              next.runtime()
                  .listContainers(ListContainersRequest.getDefaultInstance())
                  .getContainersList())
          .isEmpty();
      // The slot that the unfinished container had is free, and so is its name.
      String again = next.create(sandbox, ServiceUnderTest.container("main", "sleep"));
      GuestContainer made = host.guest(sandbox).program(again).config;
      assertThat(host.machine(sandbox).disks)
          .containsKey(Integer.valueOf(made.imageDisk().substring(5)));
    }
  }

  @Test
  void aConnectionThatBreaksIsMadeAgain() throws IOException {
    try (ServiceUnderTest service = start()) {
      String sandbox = service.run(service.pod("broken"));
      String container = service.create(sandbox, ServiceUnderTest.container("main", "sleep"));
      service.start(container);
      host.guest(sandbox).print(container, "one\n");

      host.guest(sandbox).disconnect();
      host.guest(sandbox).print(container, "two\n");

      Path log = directory.resolve("main.log");
      await(() -> lines(log).size() == 2);
      await(() -> host.guest(sandbox).connects.size() == 2);
      service.stop(container, 30);
      assertThat(service.status(container).getState()).isEqualTo(ContainerState.CONTAINER_EXITED);
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
