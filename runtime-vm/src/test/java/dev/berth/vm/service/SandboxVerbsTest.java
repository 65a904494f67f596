package dev.berth.vm.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.cri.v1.LinuxPodSandboxConfig;
import dev.berth.cri.v1.LinuxSandboxSecurityContext;
import dev.berth.cri.v1.ListPodSandboxRequest;
import dev.berth.cri.v1.NamespaceMode;
import dev.berth.cri.v1.NamespaceOption;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxState;
import dev.berth.cri.v1.PortMapping;
import dev.berth.cri.v1.StatusRequest;
import dev.berth.vm.guest.model.GuestConfig;
import dev.berth.vm.guest.model.GuestConfig.GuestRoute;
import dev.berth.vm.machine.MachineExit;
import dev.berth.vm.machine.MachineExit.ExitReason;
import dev.berth.vm.network.PodIdentity;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SandboxVerbsTest {
  @TempDir private Path directory;
  private final FakeHost host = new FakeHost();
  private ServiceUnderTest service;

  @BeforeEach
  void start() throws IOException {
    service = new ServiceUnderTest(host, directory);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void aGuestGetsTheAddressesAndTheNameOfItsPod() {
    PodSandboxConfig pod =
        service.pod("web").toBuilder()
            .setLinux(LinuxPodSandboxConfig.newBuilder().putSysctls("net/core/somaxconn", "99"))
            .addPortMappings(PortMapping.newBuilder().setHostPort(8080).setContainerPort(80))
            .addPortMappings(PortMapping.newBuilder().setContainerPort(81))
            .build();

    String id = service.run(pod, "vm");

    assertThat(service.sandbox(id).getNetwork().getIp()).isEqualTo("10.9.0.7");
    assertThat(service.sandbox(id).getNetwork().getAdditionalIps(0).getIp()).isEqualTo("fd00::7");
    GuestConfig config = host.guest(id).configurations.getFirst();
    assertThat(config.hostName()).isEqualTo("web");
    assertThat(config.sysctls()).containsEntry("net.core.somaxconn", "99");
    assertThat(config.network().addresses()).containsExactly("10.9.0.7/24", "fd00::7/64");
    assertThat(config.network().routes())
        .containsExactly(
            new GuestRoute("0.0.0.0/0", "10.9.0.1"), new GuestRoute("::/0", "fd00::1"));
    assertThat(host.networks)
        .containsEntry(
            id,
            Optional.of(
                new PodIdentity(
                    id,
                    "default",
                    "web",
                    "uid-web",
                    List.of(new dev.berth.vm.network.PortMapping("tcp", 8080, 80, "")))));
  }

  @Test
  void aSandboxThatCannotStartLeavesNothing() {
    host.machinesFail = true;
    refused(() -> service.run(service.pod("a")), Status.Code.UNKNOWN, ".*QEMU is missing.*");
    host.machinesFail = false;
    host.networksFail = true;
    refused(() -> service.run(service.pod("a")), Status.Code.UNKNOWN, ".*no addresses.*");
    host.networksFail = false;

    assertThat(host.isEmpty()).isTrue();
    assertThat(directory.resolve("state/sandboxes")).isEmptyDirectory();
    service.run(service.pod("a"));
  }

  @Test
  void aGuestThatNeverAnswersIsStartedAgainAndThenReportedWithItsConsole() {
    host.guestsHang = true;

    refused(
        () -> service.run(service.pod("a")),
        Status.Code.UNKNOWN,
        "the guest of pod default/a did not start: no answer; its console ends with: Kernel panic.*");

    assertThat(host.specs).hasSize(2);
    assertThat(host.isEmpty()).isTrue();
  }

  @Test
  void hostNamespacesAreRefusedBeforeAnythingIsMade() {
    PodSandboxConfig.Builder pod = service.pod("host").toBuilder();
    pod.getLinuxBuilder()
        .setSecurityContext(
            LinuxSandboxSecurityContext.newBuilder()
                .setNamespaceOptions(NamespaceOption.newBuilder().setNetwork(NamespaceMode.NODE)));

    refused(
        () -> service.run(pod.build()),
        Status.Code.INVALID_ARGUMENT,
        "pod default/host cannot start in a virtual machine: it has hostNetwork: true, .*");

    assertThat(host.specs).isEmpty();
  }

  @Test
  void aMachineThatEndsTakesItsPodWithIt() {
    String id = service.run(service.pod("gone"));
    String container = service.create(id, ServiceUnderTest.container("main", "sleep"));
    service.start(container);

    host.machine(id).end(new MachineExit(ExitReason.PANICKED, "Kernel panic - Out of memory"));

    assertThat(service.sandbox(id).getState()).isEqualTo(PodSandboxState.SANDBOX_NOTREADY);
    assertThat(service.status(container).getExitCode()).isEqualTo(137);
    assertThat(service.status(container).getReason()).isEqualTo("OOMKilled");
    assertThat(service.status(container).getMessage())
        .isEqualTo("the guest's kernel panicked: Kernel panic - Out of memory");
    service.stopSandbox(id);
    assertThat(host.isEmpty()).isTrue();
  }

  @Test
  void stoppingRemovesMachineAndNetworkAndCanBeRepeated() {
    String id = service.run(service.pod("stop"));
    String container = service.create(id, ServiceUnderTest.container("main", "deaf"));
    service.start(container);

    service.stopSandbox(id);
    service.stopSandbox(id);

    assertThat(host.isEmpty()).isTrue();
    assertThat(service.status(container).getExitCode()).isEqualTo(137);
    assertThat(service.sandbox(id).getNetwork().getIp()).isEmpty();
  }

  @Test
  void aStuckGuestNeitherDelaysItsEndNorOtherPods() {
    String stuck = service.run(service.pod("stuck"));
    String container = service.create(stuck, ServiceUnderTest.container("main", "sleep"));
    service.start(container);
    host.guest(stuck).hangs = true;

    String other = service.run(service.pod("other"));
    assertThat(service.sandbox(other).getState()).isEqualTo(PodSandboxState.SANDBOX_READY);
    service.removeSandbox(stuck);

    assertThat(host.machines).containsOnlyKeys(other);
    assertThat(
            service
                .runtime()
                .listPodSandbox(ListPodSandboxRequest.getDefaultInstance())
                .getItemsList())
        .hasSize(1);
  }

  @Test
  void theServiceSaysWhatItOffers() {
    var status = service.runtime().status(StatusRequest.newBuilder().setVerbose(true).build());

    assertThat(status.getStatus().getConditionsList()).allMatch(condition -> condition.getStatus());
    assertThat(status.getRuntimeHandlersList())
        .extracting(handler -> handler.getName())
        .isEqualTo(List.of("", "vm", "vm-isolated"));
    assertThat(status.getInfoOrThrow("config")).contains("\"qemuVersion\":\"7.2.0\"", "128Mi-1");
  }

  static void refused(ThrowingCallable call, Status.Code code, String pattern) {
    StatusRuntimeException e = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(e).as("the call was not refused").isNotNull();
    assertThat(e.getStatus().getDescription()).matches("(?s)" + pattern);
    assertThat(e.getStatus().getCode()).isEqualTo(code);
  }
}
