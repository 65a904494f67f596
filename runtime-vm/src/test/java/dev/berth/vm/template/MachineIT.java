package dev.berth.vm.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.kernel.ShellGuest;
import dev.berth.vm.machine.Accelerator;
import dev.berth.vm.machine.MachineException;
import dev.berth.vm.machine.MachineSize;
import dev.berth.vm.machine.MachineSource;
import dev.berth.vm.machine.MachineSpec;
import dev.berth.vm.machine.QemuLauncher;
import dev.berth.vm.machine.QemuMachines;
import dev.berth.vm.machine.QemuSettings;
import dev.berth.vm.machine.VirtualMachine;
import dev.berth.vm.network.PodInterface;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real machines: one template, and clones of it.
final class MachineIT {
  private static final Path QEMU = Path.of("/usr/bin/qemu-system-x86_64");
  private static final MachineSize SIZE = new MachineSize(128, 1);
  private static final String NAMESPACE = "berth-machine-it-" + ProcessHandle.current().pid();

  @TempDir static Path home;
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
    GuestFiles guest = ShellGuest.make(home);
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
    PodInterface network = new PodInterface(Path.of("/run/netns/" + NAMESPACE), tap(sandboxId));
    return machines.start(
        new MachineSpec(sandboxId, user, SIZE, source, network, "/berth-machine-it"));
  }

  /// The launcher makes a tap device that does not exist.
  private static String tap(String sandboxId) {
    return "tap-" + sandboxId;
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
  }
}
