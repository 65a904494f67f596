package dev.berth.sim;

import static dev.berth.sim.TestService.IMAGE;
import static dev.berth.sim.TestService.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.CriException;
import dev.berth.cri.EventReceiver;
import dev.berth.cri.VmClient;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.vm.v1.Capability;
import dev.berth.cri.vm.v1.CreateSnapshotRequest;
import dev.berth.cri.vm.v1.NetworkInterface;
import dev.berth.cri.vm.v1.Snapshot;
import dev.berth.cri.vm.v1.VirtualMachineConfig;
import dev.berth.cri.vm.v1.VirtualMachineEvent;
import dev.berth.cri.vm.v1.VirtualMachineFilter;
import dev.berth.cri.vm.v1.VirtualMachineMetadata;
import dev.berth.cri.vm.v1.VirtualMachineResources;
import dev.berth.cri.vm.v1.VirtualMachineState;
import dev.berth.cri.vm.v1.VirtualMachineStatus;
import dev.berth.sim.knobs.ExitRule;
import dev.berth.sim.knobs.ExitRule.Exit;
import dev.berth.sim.knobs.GlobPattern;
import dev.berth.sim.knobs.RuleFrequency;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class VmTest {
  private final TestService service = new TestService("vm");
  private final VmClient vms = service.connection().virtualMachines();

  @BeforeEach
  void pull() {
    service.pull(IMAGE, "");
  }

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void aVirtualMachineGoesThroughItsStates() {
    String id = create(pod("a"));
    assertThat(state(id)).isEqualTo(VirtualMachineState.VIRTUAL_MACHINE_CREATED);
    assertThatThrownBy(() -> vms.pause(id))
        .isInstanceOf(CriException.class)
        .hasMessageContaining(
            "FAILED_PRECONDITION: virtual machine vm cannot be paused: it is created");

    vms.start(id);
    vms.start(id);
    assertThat(vms.reboot(id, Duration.ofSeconds(1))).isFalse();
    vms.pause(id);
    vms.pause(id);
    assertThat(state(id)).isEqualTo(VirtualMachineState.VIRTUAL_MACHINE_PAUSED);
    vms.resume(id);
    assertThat(vms.stop(id, Duration.ofSeconds(5))).isFalse();

    VirtualMachineStatus status = status(id);
    assertThat(status.getState()).isEqualTo(VirtualMachineState.VIRTUAL_MACHINE_STOPPED);
    assertThat(status.getReason()).isEqualTo("GuestShutdown");
    assertThat(status.getBoots()).isEqualTo(2);
    vms.start(id);
    assertThat(vms.stop(id, Duration.ZERO)).isTrue();
    vms.remove(id);
    vms.remove(id);
    assertThatThrownBy(() -> status(id))
        .isInstanceOfSatisfying(CriException.class, e -> assertThat(e.isNotFound()).isTrue());
  }

  @Test
  void aGuestThatDoesNotReactHasItsPowerCut() {
    String id =
        create(
            pod("a").toBuilder().putAnnotations("sim.berth.dev/ignores-shutdown", "true").build());
    vms.start(id);
    CompletableFuture<Boolean> forced =
        CompletableFuture.supplyAsync(() -> vms.stop(id, Duration.ofSeconds(30)));
    Await.until("the stop waits", () -> service.time.waiting() == 1);

    service.time.advance(Duration.ofSeconds(30));

    assertThat(forced.join()).isTrue();
    assertThat(status(id).getReason()).isEqualTo("PowerCut");
  }

  @Test
  void aSnapshotBringsAStateBack() {
    String id = create(pod("a"));
    assertThatThrownBy(() -> snapshot(id, "early", true))
        .hasMessageContaining("cannot be snapshot with its memory: it is created");
    vms.start(id);
    Snapshot first = snapshot(id, "first", true);
    vms.pause(id);
    Snapshot second = snapshot(id, "", false);
    assertThat(second.getParentId()).isEqualTo(first.getId());
    assertThatThrownBy(() -> snapshot(id, "first", false)).hasMessageContaining("ALREADY_EXISTS");

    vms.restoreSnapshot(id, first.getId(), Duration.ZERO);
    assertThat(state(id)).isEqualTo(VirtualMachineState.VIRTUAL_MACHINE_RUNNING);
    vms.restoreSnapshot(id, second.getId(), Duration.ZERO);
    assertThat(state(id)).isEqualTo(VirtualMachineState.VIRTUAL_MACHINE_STOPPED);
    assertThat(vms.listSnapshots("")).containsExactly(first, second);
    vms.deleteSnapshot(id, first.getId());
    assertThat(vms.listSnapshots(id)).containsExactly(second);
  }

  @Test
  void interfacesComeAndGo() {
    String id = create(pod("a"));
    assertThat(vms.listNetworkInterfaces(id)).hasSize(1);
    assertThat(vms.listNetworkInterfaces(id).getFirst().getInterface().getIpAddresses(0))
        .startsWith("10.88.0.");

    var attached = vms.attachNetworkInterface(id, NetworkInterface.getDefaultInstance());
    assertThat(attached.getInterface().getName()).isEqualTo("eth1");
    assertThat(attached.getInterface().getMacAddress()).matches("52:54:00(:[0-9a-f]{2}){3}");
    vms.detachNetworkInterface(id, "eth0");

    assertThat(vms.listNetworkInterfaces(id)).containsExactly(attached);
  }

  @Test
  void aSandboxHasOneAndTakesItAlong() {
    String id = create(pod("a"));
    String sandbox = status(id).getPodSandboxId();
    assertThatThrownBy(() -> vms.create(sandbox, config("vm"), pod("a")))
        .hasMessageContaining("ALREADY_EXISTS");
    assertThatThrownBy(() -> vms.create(sandbox, config("other"), pod("a")))
        .hasMessageContaining("FAILED_PRECONDITION");
    vms.start(id);

    service.runtime().stopPodSandbox(sandbox);
    assertThat(status(id).getMessage()).isEqualTo("the sandbox was stopped");
    service.runtime().removePodSandbox(sandbox);

    assertThat(vms.list(VirtualMachineFilter.getDefaultInstance())).isEmpty();
  }

  @Test
  void whatItCannotDoIsRefusedInWords() {
    String sandbox = service.runtime().runPodSandbox(pod("a"), "vm");
    VirtualMachineConfig large =
        config("vm").toBuilder()
            .setResources(VirtualMachineResources.newBuilder().setVcpus(64).setMemoryBytes(1 << 30))
            .build();

    assertThatThrownBy(() -> vms.create(sandbox, large, pod("a")))
        .hasMessageContaining("INVALID_ARGUMENT: vcpus is 64, accepted are 1 to 8");
    assertThat(vms.capabilities().getCapabilitiesList())
        .contains(Capability.PAUSE, Capability.SNAPSHOT)
        .doesNotContain(Capability.VNC_CONSOLE);
  }

  @Test
  void eventsTellWhatHappensEvenACrash() throws Exception {
    service
        .simulator()
        .knobs()
        .exits()
        .add(
            new ExitRule(
                GlobPattern.ANYTHING,
                GlobPattern.ANYTHING,
                new GlobPattern("vm"),
                GlobPattern.ANYTHING,
                new Exit(Duration.ofSeconds(9), 1, ""),
                RuleFrequency.ALWAYS));
    List<VirtualMachineEvent> events = new CopyOnWriteArrayList<>();
    CountDownLatch opened = new CountDownLatch(1);
    EventReceiver<VirtualMachineEvent> listener =
        new EventReceiver<>() {
          @Override
          public void accept(VirtualMachineEvent event) {
            events.add(event);
          }

          @Override
          public void opened() {
            opened.countDown();
          }
        };
    Thread.ofVirtual().start(() -> follow(listener));
    opened.await();
    String id = create(pod("a"));
    vms.start(id);

    service.time.advance(Duration.ofSeconds(9));

    Await.until("three events", () -> events.size() == 3);
    assertThat(events)
        .extracting(event -> event.getType().name())
        .containsExactly(
            "VIRTUAL_MACHINE_EVENT_CREATED",
            "VIRTUAL_MACHINE_EVENT_STARTED",
            "VIRTUAL_MACHINE_EVENT_CRASHED");
    assertThat(events.getLast().getStatus().getReason()).isEqualTo("HypervisorExited");
  }

  @Test
  void statisticsFollowWhatWasGiven() {
    String id = create(pod("a"));
    vms.start(id);
    service.time.advance(Duration.ofSeconds(10));

    var stats = vms.stats(id);
    assertThat(stats.getMemory().getConfiguredBytes()).isEqualTo(1 << 30);
    assertThat(stats.getCpu().getUsageCoreNanoSeconds()).isEqualTo(2_000_000_000L);
    assertThat(vms.listStats(VirtualMachineFilter.getDefaultInstance())).containsExactly(stats);
  }

  private void follow(EventReceiver<VirtualMachineEvent> listener) {
    try {
      vms.followEvents(VirtualMachineFilter.getDefaultInstance(), listener);
    } catch (CriException e) {
      assertThat(e.isUnavailable()).isTrue();
    }
  }

  private Snapshot snapshot(String id, String name, boolean memory) {
    return vms.createSnapshot(
        CreateSnapshotRequest.newBuilder()
            .setVirtualMachineId(id)
            .setName(name)
            .setMemory(memory)
            .build(),
        Duration.ZERO);
  }

  private String create(PodSandboxConfig pod) {
    return vms.create(service.runtime().runPodSandbox(pod, "vm"), config("vm"), pod);
  }

  private static VirtualMachineConfig config(String name) {
    return VirtualMachineConfig.newBuilder()
        .setMetadata(VirtualMachineMetadata.newBuilder().setName(name))
        .setImage(ImageSpec.newBuilder().setImage(IMAGE))
        .setResources(VirtualMachineResources.newBuilder().setVcpus(2).setMemoryBytes(1 << 30))
        .build();
  }

  private VirtualMachineState state(String id) {
    return status(id).getState();
  }

  private VirtualMachineStatus status(String id) {
    return vms.status(id, false).getStatus();
  }
}
