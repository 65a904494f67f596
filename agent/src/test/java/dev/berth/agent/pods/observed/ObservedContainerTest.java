package dev.berth.agent.pods.observed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pods.observed.ObservedContainer.State;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ContainerStatus;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What containerd says of a container, in its own words.
final class ObservedContainerTest {
  @ParameterizedTest(name = "started {0}, {1}: {2} is {3}")
  @CsvSource({
    "0, StartError, 'failed to create containerd task: failed to create shim task: context canceled: unknown', CANCELLED",
    "0, StartError, 'failed to start containerd task \"c\": context canceled: unknown', CANCELLED",
    "0, StartError, 'failed to create containerd task: failed to start shim: start failed: unix:///run/s/1: context canceled', CANCELLED",
    "0, StartError, 'failed to create containerd task: failed to start shim: start failed: : signal: killed: unknown', CANCELLED",
    "0, StartError, 'failed to create containerd task: task 7453fcfb67ed: already exists', CANCELLED",
    "0, StartError, 'OCI runtime create failed: exec: \"/task 7453fcfb67ed: already exists\": no such file or directory: unknown', EXITED",
    "0, StartError, 'failed to create containerd task: failed to create shim task: OCI runtime create failed: exec: \"context canceled\": executable file not found in $PATH: unknown', EXITED",
    "0, StartError, 'failed to create containerd task: failed to create shim task: context deadline exceeded: unknown', EXITED",
    "0, StartError, 'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to create new parent process: namespace path: lstat /proc/0/ns/ipc: no such file or directory: unknown', CANCELLED",
    "0, StartError, 'OCI runtime create failed: exec: \"/proc/0/ns/ipc\": executable file not found in $PATH: unknown', EXITED",
    "1, StartError, 'context canceled', EXITED",
    "1, Error, '', EXITED",
    "0, Error, 'context canceled', EXITED",
  })
  void aStartWhoseCallerWentAwayIsNoEnd(int started, String reason, String message, State state) {
    ContainerStatus status =
        ContainerStatus.newBuilder()
            .setState(ContainerState.CONTAINER_EXITED)
            .setStartedAt(started)
            .setFinishedAt(2)
            .setExitCode(128)
            .setReason(reason)
            .setMessage(message)
            .build();

    assertThat(ObservedContainer.of("s", status).state()).isEqualTo(state);
  }
}
