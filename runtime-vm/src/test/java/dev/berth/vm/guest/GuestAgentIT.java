package dev.berth.vm.guest;

import static dev.berth.vm.guest.ContainerRecipe.script;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.berth.vm.guest.model.GuestCapabilities;
import dev.berth.vm.guest.model.GuestConfig;
import dev.berth.vm.guest.model.GuestConfig.GuestNetwork;
import dev.berth.vm.guest.model.GuestConfig.GuestRoute;
import dev.berth.vm.guest.model.GuestContainer.PidNamespace;
import dev.berth.vm.guest.model.GuestContainerState;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.model.GuestLimits;
import dev.berth.vm.guest.model.GuestPrivileges;
import dev.berth.vm.guest.model.GuestUsage;
import dev.berth.vm.guest.model.GuestUser;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The real guest program in QEMU: containers, from create to remove.
@Timeout(300)
final class GuestAgentIT {
  private static TestMachine machine;

  @BeforeAll
  static void boot() {
    machine = TestMachine.shared();
  }

  @AfterEach
  void nothingIsLost() {
    assertThat(machine.listener().gaps()).isEmpty();
  }

  @Test
  void aContainerRunsToItsEnd() {
    ContainerRecipe container = script(machine, "echo out; echo error >&2; exit 7").create();
    assertThat(state(container).started()).isEmpty();
    machine.agent().start(container.id());
    assertThat(container.awaitExit().code()).isEqualTo(7);
    assertThat(container.awaitExit().signal()).isZero();
    assertThat(container.output()).isEqualTo("out\n");
    assertThat(container.errors()).isEqualTo("error\n");
    GuestContainerState state = state(container);
    assertThat(state.started())
        .hasValueSatisfying(at -> assertThat(at).isAfterOrEqualTo(state.created()));
    assertThat(state.exit()).contains(container.awaitExit());
    container.remove();
    container.remove();
    assertThat(machine.agent().list())
        .extracting(GuestContainerState::id)
        .doesNotContain(container.id());
  }

  @Test
  void theProgramGetsItsEnvironmentAndDirectory() {
    String output =
        script(machine, "pwd; echo $NAME; echo $HOME; cat /proc/self/cgroup")
            .environment("NAME=first", "NAME=last one")
            .directory("/srv/new/place")
            .user(user("web"))
            .run();
    assertThat(output.lines()).containsExactly("/srv/new/place", "last one", "/home/web", "0::/");
  }

  @Test
  void aUserHasTheGroupsOfTheImage() {
    assertThat(script(machine, "id").user(user("web")).run())
        .isEqualTo("uid=1000(web) gid=1000(web) groups=1000(web),2000(logs),3000(extra)\n");
    assertThat(script(machine, "id -G; id -u").user(user("1000")).run())
        .isEqualTo("1000 2000 3000\n1000\n");
    assertThat(script(machine, "id -G; id -u").user(user("web:logs")).run())
        .isEqualTo("2000 3000\n1000\n");
    assertThat(script(machine, "id -G; id -u").user(user("4000:5000")).run())
        .isEqualTo("5000\n4000\n");
    assertThat(
            script(machine, "id -g; id -G")
                .user(new GuestUser("web", OptionalLong.of(77), List.of(88L), true))
                .run())
        .isEqualTo("77\n77 88\n");
    assertThat(
            script(machine, "id -g; id -G")
                .user(new GuestUser("web", OptionalLong.of(77), List.of(88L), false))
                .run())
        .isEqualTo("77\n77 88 2000 3000\n");
  }

  @Test
  void capabilitiesAreThoseOfTheContainer() {
    String status = "grep -E 'CapEff|CapBnd|CapAmb|NoNewPrivs' /proc/self/status | tr -d '\\t'";
    assertThat(script(machine, status).run().lines())
        .containsExactly(
            "CapEff:00000000a80425fb",
            "CapBnd:00000000a80425fb",
            "CapAmb:0000000000000000",
            "NoNewPrivs:0");
    GuestCapabilities ambient =
        GuestCapabilities.of(List.of(), List.of("ALL"), List.of("NET_BIND_SERVICE"));
    assertThat(
            script(machine, status)
                .user(user("web"))
                .privileges(privileges(ambient, false, true, false))
                .run()
                .lines())
        .containsExactly(
            "CapEff:0000000000000400",
            "CapBnd:0000000000000400",
            "CapAmb:0000000000000400",
            "NoNewPrivs:1");
    assertThat(script(machine, status).user(user("web")).run()).contains("CapEff:0000000000000000");
    assertThat(
            script(machine, status + "; ls /dev/vda")
                .privileges(privileges(GuestCapabilities.DEFAULT, true, false, false))
                .run())
        .contains("CapEff:000001ffffffffff")
        .contains("/dev/vda");
  }

  @Test
  void hiddenAndReadOnlyPathsAreOutOfReach() {
    GuestPrivileges privileges =
        new GuestPrivileges(
            GuestCapabilities.DEFAULT,
            false,
            false,
            true,
            List.of("/etc/passwd", "/proc/scsi", "/not/there"),
            List.of("/proc/sys"));
    String output =
        script(
                machine,
                "touch /new; touch /dev/shm/ok && echo shared; wc -c < /etc/passwd;"
                    + " echo x > /proc/sys/kernel/hostname; ls /proc/scsi | wc -l")
            .privileges(privileges)
            .run();
    assertThat(output).contains("touch: /new: Read-only file system").contains("shared\n0\n");
    assertThat(output).contains("can't create /proc/sys/kernel/hostname: Read-only file system");
    assertThat(script(machine, "touch /new && echo made").run()).isEqualTo("made\n");
  }

  @Test
  void processesOfOthersAreSeenWhereThePodSharesThem() {
    assertThat(script(machine, "echo $$").run()).isEqualTo("1\n");
    ContainerRecipe first =
        script(machine, "echo up; exec sleep 1001").pids(new PidNamespace.PodProcesses()).start();
    first.awaitOutput("up");
    assertThat(script(machine, "ps").pids(new PidNamespace.PodProcesses()).run())
        .contains("sleep 1001");
    assertThat(script(machine, "ps").pids(new PidNamespace.TargetProcesses(first.id())).run())
        .contains("sleep 1001");
    assertThat(script(machine, "ps").run()).doesNotContain("sleep 1001");
    first.remove();
    refused(
        FailureKind.WRONG_STATE,
        () -> script(machine, "ps").pids(new PidNamespace.TargetProcesses(first.id())).start());
  }

  @Test
  void signalsReachTheProgram() {
    ContainerRecipe polite =
        script(machine, "trap 'echo bye; exit 3' TERM; echo up; while true; do sleep 0.05; done")
            .start();
    polite.awaitOutput("up");
    machine.agent().signal(polite.id(), 15);
    assertThat(polite.awaitExit().code()).isEqualTo(3);
    assertThat(polite.output()).isEqualTo("up\nbye\n");
    machine.agent().signal(polite.id(), 15);
    ContainerRecipe stubborn = script(machine, "trap '' TERM; echo up; sleep 1000").start();
    stubborn.awaitOutput("up");
    machine.agent().signal(stubborn.id(), 9);
    assertThat(stubborn.awaitExit().code()).isEqualTo(137);
    assertThat(stubborn.awaitExit().signal()).isEqualTo(9);
    polite.remove();
    stubborn.remove();
  }

  @Test
  void whatCannotWorkIsRefused() {
    GuestAgent agent = machine.agent();
    refused(FailureKind.NOT_FOUND, () -> agent.start("nobody"));
    refused(FailureKind.NOT_FOUND, () -> agent.signal("nobody", 15));
    refused(FailureKind.NOT_FOUND, () -> agent.signal("../../etc", 15));
    agent.remove("nobody");
    ContainerRecipe absent = ContainerRecipe.of(machine, "/bin/absent").create();
    refused(FailureKind.EXISTS, absent::create);
    refused(FailureKind.INVALID, () -> agent.start(absent.id()));
    absent.remove();
    refused(FailureKind.INVALID, () -> script(machine, "true").user(user("nobody")).create());
    ContainerRecipe running = script(machine, "echo up; sleep 1000").start();
    refused(FailureKind.WRONG_STATE, () -> agent.start(running.id()));
    refused(FailureKind.WRONG_STATE, () -> agent.input(running.id()));
    running.remove();
  }

  @Test
  void aContainerThatNeedsTooMuchMemoryIsKilled() {
    ContainerRecipe container =
        script(machine, "dd if=/dev/zero of=/dev/null bs=40M count=1")
            .limits(new GuestLimits(0, 0, 0, 16 << 20, 0, 0, Map.of()))
            .start();
    assertThat(container.awaitExit().outOfMemory()).isTrue();
    assertThat(container.awaitExit().code()).isEqualTo(137);
    container.remove();
  }

  @Test
  void limitsAreThoseOfTheControlGroupAndCanChange() {
    GuestLimits limits =
        new GuestLimits(50_000, 0, 2048, 64 << 20, 20, 500, Map.of("memory.high", "33554432"));
    ContainerRecipe container =
        script(
                machine,
                "cd /sys/fs/cgroup; cat cpu.max cpu.weight memory.max pids.max memory.high;"
                    + " cat /proc/self/oom_score_adj; echo up;"
                    + " until grep -q 41943040 memory.max; do sleep 0.05; done; cat cpu.max")
            .limits(limits)
            .start();
    container.awaitOutput("up");
    machine.agent().limits(container.id(), new GuestLimits(0, 0, 0, 40 << 20, 0, 0, Map.of()));
    container.awaitExit();
    assertThat(container.output().lines())
        .containsExactly(
            "50000 100000", "79", "67108864", "20", "33554432", "500", "up", "max 100000");
    container.remove();
  }

  @Test
  void aTerminalHasASizeAndEchoesItsInput() throws Exception {
    ContainerRecipe container =
        script(machine, "tty; read line; stty size; echo \"got $line\" >&2")
            .tty()
            .stdin(false)
            .start();
    container.awaitOutput("/dev/");
    machine.agent().resize(container.id(), 120, 40);
    try (OutputStream input = machine.agent().input(container.id())) {
      input.write("hello\n".getBytes(StandardCharsets.UTF_8));
    }
    container.awaitExit();
    assertThat(container.output()).endsWith("hello\r\n40 120\r\ngot hello\r\n");
    assertThat(container.errors()).isEmpty();
    container.remove();
  }

  @Test
  void inputGoesOnAfterItsClientUnlessItIsForOneClient() throws Exception {
    ContainerRecipe several = script(machine, "read a; read b; echo $a $b").stdin(false).start();
    write(several, "one\n");
    write(several, "two\n");
    several.awaitExit();
    assertThat(several.output()).isEqualTo("one two\n");
    several.remove();
    ContainerRecipe once = script(machine, "wc -c").stdin(true).start();
    write(once, "x".repeat(100_000));
    once.awaitExit();
    assertThat(once.output()).isEqualTo("100000\n");
    once.remove();
  }

  private void write(ContainerRecipe container, String text) throws Exception {
    try (OutputStream input = machine.agent().input(container.id())) {
      input.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void usageIsThatOfTheGuestAndItsContainers() {
    ContainerRecipe container =
        script(machine, "head -c 3000000 /dev/zero > /file; echo up; sleep 1000; true").start();
    container.awaitOutput("up");
    GuestUsage usage = machine.agent().usage();
    assertThat(usage.cpuNanos()).isBetween(1L, Duration.ofHours(1).toNanos());
    assertThat(usage.memoryTotalBytes()).isBetween(150L << 20, 256L << 20);
    assertThat(usage.memoryAvailableBytes()).isBetween(1L << 20, usage.memoryTotalBytes());
    assertThat(usage.scratchTotalBytes()).isBetween(90L << 20, 128L << 20);
    assertThat(usage.scratchUsedBytes()).isBetween(3_000_000L, usage.scratchTotalBytes());
    assertThat(usage.containers())
        .filteredOn(one -> one.id().equals(container.id()))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.cpuNanos()).isPositive();
              assertThat(one.processes()).isEqualTo(2);
              assertThat(one.memoryBytes()).isGreaterThan(one.residentBytes());
              assertThat(one.workingSetBytes()).isLessThanOrEqualTo(one.memoryBytes());
              assertThat(one.writableBytes()).isBetween(3_000_000L, 4_000_000L);
              assertThat(one.writableFiles()).isBetween(1L, 10L);
            });
    container.remove();
  }

  @Test
  void aGuestGetsItsNameNetworkAndClock() {
    Instant now = Instant.parse("2031-05-06T07:08:09Z");
    GuestNetwork network =
        new GuestNetwork(
            "02:00:00:00:00:77",
            1400,
            List.of("10.88.0.7/24", "fd00::7/64"),
            List.of(new GuestRoute("0.0.0.0/0", "10.88.0.1"), new GuestRoute("10.99.0.0/16", "")));
    machine
        .agent()
        .configure(
            new GuestConfig("web-0", network, Map.of("net.core.somaxconn", "777")),
            InstantSource.fixed(now));
    String seen =
        script(
                machine,
                "hostname; ip -o addr; ip -o link; ip route; ip -6 route; date -u +%Y-%m-%d;"
                    + " cat /proc/sys/net/core/somaxconn")
            .run();
    assertThat(seen).startsWith("web-0\n").contains("inet 10.88.0.7/24").contains("fd00::7/64");
    assertThat(seen).contains("02:00:00:00:00:77").contains("mtu 1400").contains("\n777\n");
    assertThat(seen).contains("default via 10.88.0.1").contains("10.99.0.0/16 dev");
    assertThat(seen).contains("2031-05-06");
    machine
        .agent()
        .configure(
            new GuestConfig(
                "", new GuestNetwork("", 0, List.of("10.88.0.9/24"), List.of()), Map.of()),
            InstantSource.system());
    String after = script(machine, "hostname; ip -o addr; ip route").run();
    assertThat(after).startsWith("web-0\n").contains("10.88.0.9/24").doesNotContain("10.88.0.7");
    assertThat(after).doesNotContain("fd00::7").doesNotContain("default via");
    refused(
        FailureKind.INVALID,
        () ->
            machine
                .agent()
                .configure(
                    new GuestConfig(
                        "", new GuestNetwork("", 0, List.of("10.88.0/33"), List.of()), Map.of()),
                    InstantSource.system()));
  }

  private GuestContainerState state(ContainerRecipe container) {
    return machine.agent().list().stream()
        .filter(state -> state.id().equals(container.id()))
        .findFirst()
        .orElseThrow();
  }

  private static GuestPrivileges privileges(
      GuestCapabilities capabilities, boolean privileged, boolean noNew, boolean readOnly) {
    return new GuestPrivileges(capabilities, privileged, noNew, readOnly, List.of(), List.of());
  }

  private static GuestUser user(String name) {
    return new GuestUser(name, OptionalLong.empty(), List.of(), false);
  }

  private static void refused(FailureKind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(GuestException.class))
        .extracting(GuestException::kind)
        .isEqualTo(kind);
  }
}
