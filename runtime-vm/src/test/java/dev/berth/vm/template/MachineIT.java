package dev.berth.vm.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.kernel.ShellGuest;
import dev.berth.vm.machine.Accelerator;
import dev.berth.vm.machine.MachineException;
import dev.berth.vm.machine.MachineExit;
import dev.berth.vm.machine.MachineExit.ExitReason;
import dev.berth.vm.machine.MachineSize;
import dev.berth.vm.machine.MachineSource;
import dev.berth.vm.machine.MachineSpec;
import dev.berth.vm.machine.QemuLauncher;
import dev.berth.vm.machine.QemuMachines;
import dev.berth.vm.machine.QemuSettings;
import dev.berth.vm.machine.VirtualMachine;
import dev.berth.vm.network.PodInterface;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real machines: one template, and clones of it.
final class MachineIT {
  private static final Path QEMU = Path.of("/usr/bin/qemu-system-x86_64");
  private static final MachineSize SIZE = new MachineSize(128, 1);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String NAMESPACE = "berth-machine-it-" + ProcessHandle.current().pid();

  @TempDir static Path home;
  private static GuestFiles guest;
  private static QemuLauncher launcher;
  private static QemuSettings settings;
  private static QemuMachines machines;
  private static TemplateStore templates;

  @BeforeAll
  static void makeATemplate() throws Exception {
    assumeTrue(Files.isExecutable(QEMU), "no QEMU (Debian: qemu-system-x86)");
    assumeTrue(
        Files.isDirectory(ShellGuest.kernelRoot().resolve("boot")),
        "no kernel in target/guest; ./dev test unpacks one");
    assumeTrue(Files.isExecutable(Path.of("/bin/busybox")), "no busybox (busybox-static)");
    assumeTrue(Files.isWritable(Path.of("/sys/fs/cgroup")), "only root has control groups");
    run("ip", "netns", "add", NAMESPACE);
    guest = ShellGuest.make(home);
    launcher = new QemuLauncher(QEMU, home);
    settings =
        new QemuSettings(
            home.resolve("machines"), QEMU, Path.of("/sys/fs/cgroup"), 1_900_000_000, 20);
    templates = templates(guest);
    machines = new QemuMachines(settings, launcher, () -> Accelerator.TCG);
    machines.recover();
  }

  private static TemplateStore templates(GuestFiles guest) {
    return new TemplateStore(
        new TemplateSettings(home.resolve("templates"), settings.templateUser(), 1L << 30),
        launcher,
        () -> guest,
        () -> Accelerator.TCG,
        ShellClient::probe,
        Clock.systemUTC());
  }

  @AfterAll
  static void removeAll() throws Exception {
    if (machines != null) {
      machines.recover().forEach(machine -> machines.remove(machine.sandboxId()));
      run("ip", "netns", "delete", NAMESPACE);
      run("sh", "-c", "find /sys/fs/cgroup/ -depth -type d -name berth-machine-it -delete");
    }
  }

  @Test
  void aCloneReadsAnImageThatItsTemplateNeverSaw() throws Exception {
    VirtualMachine machine = start("image");
    try (ShellClient shell = new ShellClient(machine.agentSocket())) {
      assertThat(shell.run("ls /scratch")).contains("lost+found");

      machine.attachImage(3, image());

      assertThat(shell.run("mount -t erofs $(disk image3) /mnt && cat /mnt/text"))
          .endsWith("from the image\n");
      assertThat(machine.usedSlots()).containsExactly(3);
      shell.run("umount /mnt");
      machine.detachImage(3);
      assertThat(machine.usedSlots()).isEmpty();
      assertThatThrownBy(() -> machine.balloon(64 << 20))
          .isInstanceOf(MachineException.class)
          .hasMessageContaining("shares memory");
    }
    assertThat(machine.usage().privateBytes()).isBetween(1L << 20, 128L << 20);
    machines.remove("image");
  }

  @Test
  void aMachineIsFoundAgainByAnotherProcess() throws Exception {
    VirtualMachine machine = start("found");
    machine.attachImage(0, image());
    machine.pause();

    VirtualMachine found = only("found", recovered());

    assertThat(found.pid()).isEqualTo(machine.pid());
    assertThat(found.size()).isEqualTo(SIZE);
    assertThat(found.sharesMemory()).isTrue();
    assertThat(found.usedSlots()).containsExactly(0);
    assertThat(found.exit()).isEmpty();
    assertThat(found.paused()).isTrue();
    found.resume();
    assertThat(found.paused()).isFalse();
    try (ShellClient shell = new ShellClient(found.agentSocket())) {
      assertThat(shell.run("disk image0")).startsWith("/dev/vd");
    }
    assertThat(machines.reserve("other")).isNotEqualTo(machines.reserve("found"));
    machines.remove("other");
    machines.remove("found");

    assertThat(machine.awaitExit(LONG)).isPresent();
    assertThat(ProcessHandle.of(machine.pid()).filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(settings.directory().resolve("found")).doesNotExist();
    assertThat(Path.of("/sys/fs/cgroup/pids/berth-machine-it/berth-vm-found")).doesNotExist();
  }

  /// What another process finds.
  private static List<VirtualMachine> recovered() {
    machines.close();
    machines = new QemuMachines(settings, launcher, () -> Accelerator.TCG);
    return machines.recover();
  }

  private static VirtualMachine only(String sandboxId, List<VirtualMachine> machines) {
    return machines.stream()
        .filter(machine -> machine.sandboxId().equals(sandboxId))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theReasonOfAnEndIsKnown() throws Exception {
    assertThat(endBy("off", "poweroff -f").reason()).isEqualTo(ExitReason.POWERED_OFF);
    MachineExit panic = endBy("panic", "echo c > /proc/sysrq-trigger");
    assertThat(panic.reason()).isEqualTo(ExitReason.PANICKED);
    assertThat(panic.detail()).contains("Kernel panic - not syncing");

    VirtualMachine killed = start("killed");
    CompletableFuture<MachineExit> heard = new CompletableFuture<>();
    killed.onExit(heard::complete);
    killed.kill();
    assertThat(heard.get(60, TimeUnit.SECONDS).reason()).isEqualTo(ExitReason.KILLED);
    assertThat(only("killed", recovered()).exit().orElseThrow().reason())
        .isEqualTo(ExitReason.KILLED);

    VirtualMachine vanished = start("vanished");
    ProcessHandle.of(vanished.pid()).orElseThrow().destroyForcibly();
    assertThat(vanished.awaitExit(LONG).orElseThrow().reason()).isEqualTo(ExitReason.VANISHED);
    List.of("off", "panic", "killed", "vanished").forEach(machines::remove);
  }

  private static MachineExit endBy(String sandboxId, String line) throws Exception {
    VirtualMachine machine = start(sandboxId);
    try (ShellClient shell = new ShellClient(machine.agentSocket())) {
      shell.run("true");
      shell.send(line);
      return machine.awaitExit(LONG).orElseThrow();
    }
  }

  @Test
  void qemuHasNoRightsAndSeesOnlyTheNetworkOfItsPod() throws Exception {
    VirtualMachine machine = start("rights");
    Path process = Path.of("/proc/" + machine.pid());

    String status = Files.readString(process.resolve("status"));
    assertThat(status)
        .contains("CapEff:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2")
        .contains("Uid:\t" + machines.reserve("rights"));
    assertThat(Files.readSymbolicLink(process.resolve("ns/net")))
        .isNotEqualTo(Files.readSymbolicLink(Path.of("/proc/self/ns/net")));
    assertThat(Files.readString(process.resolve("cgroup"))).contains("berth-vm-rights");
    try (FileChannel memory =
        FileChannel.open(
            ((MachineSource.Restored) templates.source(SIZE, true)).saved().memory(),
            StandardOpenOption.WRITE)) {
      assertThatThrownBy(() -> memory.write(ByteBuffer.allocate(1), 0))
          .as("the memory of the template is sealed")
          .isInstanceOf(IOException.class);
    }
    machines.remove("rights");
  }

  /// As after a service that was killed before it wrote down that the machine runs.
  @Test
  void aStartThatWasInterruptedIsRemoved() throws Exception {
    VirtualMachine machine = start("half");
    Path record = settings.directory().resolve("half/machine.json");
    Files.writeString(record, Files.readString(record).replace("RUNNING", "STARTING"));

    assertThat(recovered()).noneMatch(found -> found.sandboxId().equals("half"));
    assertThat(machine.awaitExit(LONG)).isPresent();
    assertThat(settings.directory().resolve("half")).doesNotExist();
  }

  @Test
  void aTemplateIsMadeOnceAndADamagedOneAgain() throws Exception {
    Path kept = template();
    FileTime written = Files.getLastModifiedTime(kept.resolve("memory"));
    assertThat(templates(guest).source(SIZE, true)).isInstanceOf(MachineSource.Restored.class);
    assertThat(Files.getLastModifiedTime(kept.resolve("memory"))).isEqualTo(written);

    Files.setPosixFilePermissions(
        kept.resolve("state"), PosixFilePermissions.fromString("rw-------"));
    Files.writeString(kept.resolve("state"), "damaged");
    TemplateStore later = templates(guest);
    MachineSource source = later.source(SIZE, true);
    templates = later;

    assertThat(Files.size(((MachineSource.Restored) source).saved().state())).isGreaterThan(10_000);
    assertThat(Files.getLastModifiedTime(template().resolve("memory"))).isNotEqualTo(written);
  }

  private static Path template() throws IOException {
    try (Stream<Path> all = Files.list(home.resolve("templates"))) {
      return all.filter(path -> path.getFileName().toString().startsWith("128Mi"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void aFailedStartSaysWhyAndWhatToDo() {
    GuestFiles missing = new GuestFiles(home.resolve("nothing"), guest.initramfs(), "missing");
    int user = machines.reserve("failed");
    MachineSource source =
        new MachineSource.Booted(
            missing, ((MachineSource.Booted) templates.source(SIZE, false)).scratch());

    assertThatThrownBy(
            () ->
                machines.start(
                    new MachineSpec("failed", user, SIZE, source, network("failed"), "")))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("virtual machine of failed did not start")
        .hasMessageContaining("open %s: error 2 (no such file)", home.resolve("nothing"));
    machines.remove("failed");
    assertThat(settings.directory().resolve("failed")).doesNotExist();
  }

  @Test
  void withoutMemoryOrQemuTheMessageSaysWhatToDo() {
    MachineSize huge = new MachineSize(1 << 30, 1);
    MachineSource source = templates.source(SIZE, false);
    int user = machines.reserve("huge");

    assertThatThrownBy(
            () -> machines.start(new MachineSpec("huge", user, huge, source, network("huge"), "")))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("Cannot allocate memory")
        .hasMessageContaining("Free memory on this node");
    machines.remove("huge");

    Path nothing = home.resolve("no-qemu");
    QemuMachines without =
        new QemuMachines(settings, new QemuLauncher(nothing, home), () -> Accelerator.TCG);
    int other = without.reserve("without");
    assertThatThrownBy(
            () ->
                without.start(
                    new MachineSpec("without", other, SIZE, source, network("without"), "")))
        .hasMessageContaining("%s is not an executable file. Install QEMU", nothing);
    without.remove("without");
  }

  @Test
  void aGuestThatNeverAnswersIsBootedAFewTimes() throws Exception {
    Path directory = home.resolve("unanswered");
    TemplateStore store =
        new TemplateStore(
            new TemplateSettings(directory, settings.templateUser(), 1L << 26),
            launcher,
            () -> guest,
            () -> Accelerator.TCG,
            (socket, limit) -> {
              throw new IllegalStateException("nobody there");
            },
            Clock.systemUTC());

    assertThatThrownBy(() -> store.source(new MachineSize(96, 1), true))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("virtual machines of size 96Mi-1 cannot start")
        .hasMessageContaining("a guest booted 5 times and never answered")
        .hasMessageContaining("nobody there");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  private static List<Path> image() throws Exception {
    Path tree = Files.createDirectories(home.resolve("tree"));
    Files.writeString(tree.resolve("text"), "from the image\n");
    Path whole = home.resolve("image.erofs");
    run("mkfs.erofs", whole.toString(), tree.toString());
    byte[] bytes = Files.readAllBytes(whole);
    Path first = Files.write(home.resolve("first"), Arrays.copyOf(bytes, 4096));
    return List.of(
        first, Files.write(home.resolve("rest"), Arrays.copyOfRange(bytes, 4096, bytes.length)));
  }

  private static VirtualMachine start(String sandboxId) {
    MachineSource source = templates.source(SIZE, true);
    int user = machines.reserve(sandboxId);
    return machines.start(
        new MachineSpec(sandboxId, user, SIZE, source, network(sandboxId), "/berth-machine-it"));
  }

  /// The launcher makes a tap device that does not exist.
  private static PodInterface network(String sandboxId) {
    return new PodInterface(Path.of("/run/netns/" + NAMESPACE), "tap-" + sandboxId);
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
  }
}
