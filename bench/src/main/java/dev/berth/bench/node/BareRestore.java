package dev.berth.bench.node;

import dev.berth.bench.machine.TemporaryDirectory;
import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.kernel.GuestKernel;
import dev.berth.vm.machine.Accelerator;
import dev.berth.vm.machine.MachineSize;
import dev.berth.vm.machine.MachineSource;
import dev.berth.vm.machine.MachineSpec;
import dev.berth.vm.machine.QemuLauncher;
import dev.berth.vm.machine.QemuMachines;
import dev.berth.vm.machine.QemuSettings;
import dev.berth.vm.network.PodInterface;
import dev.berth.vm.template.GuestProbe;
import dev.berth.vm.template.TemplateSettings;
import dev.berth.vm.template.TemplateStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/// The floor of a pod in a virtual machine: QEMU restores a saved machine until the program in its
/// guest answers. No runtime service, no network plugins, no image and no container.
final class BareRestore implements AutoCloseable {
  private static final Path QEMU = Path.of("/usr/bin/qemu-system-x86_64");
  private static final MachineSize SIZE = new MachineSize(128, 1);
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /// Far from the user ids of the product's own machines.
  private static final int FIRST_USER = 1_800_000_000;

  private final String namespace = "berth-bench-" + ProcessHandle.current().pid();
  private final Path directory;
  private final QemuMachines machines;
  private final TemplateStore templates;
  private int next;

  private BareRestore(Path directory, QemuMachines machines, TemplateStore templates) {
    this.directory = directory;
    this.machines = machines;
    this.templates = templates;
  }

  /// Boots one machine and saves it.
  ///
  /// @param kernels directories with `boot` and `lib/modules`
  static BareRestore prepare(List<Path> kernels) throws IOException {
    Path directory = Files.createTempDirectory(Path.of("/tmp"), "bv");
    QemuLauncher launcher = new QemuLauncher(QEMU, directory);
    QemuSettings settings =
        new QemuSettings(
            directory.resolve("machines"), QEMU, Path.of("/sys/fs/cgroup"), FIRST_USER, 10);
    GuestFiles guest = new GuestKernel(kernels, directory.resolve("kernel")).files();
    TemplateStore templates =
        new TemplateStore(
            new TemplateSettings(directory.resolve("templates"), settings.templateUser(), 1L << 30),
            launcher,
            () -> guest,
            () -> Accelerator.TCG,
            GuestProbe.agent(),
            Clock.systemUTC());
    QemuMachines machines = new QemuMachines(settings, launcher, () -> Accelerator.TCG);
    machines.recover();
    BareRestore floor = new BareRestore(directory, machines, templates);
    command("ip", "netns", "add", floor.namespace);
    templates.source(SIZE, true);
    return floor;
  }

  /// Milliseconds of one restore. The machine is removed afterwards.
  double once() {
    String id = "bare-" + next++;
    MachineSource source = templates.source(SIZE, true);
    PodInterface network = new PodInterface(Path.of("/run/netns", namespace), "tap" + next);
    long start = System.nanoTime();
    int user = machines.reserve(id);
    var machine = machines.start(new MachineSpec(id, user, SIZE, source, network, "/berth-bench"));
    GuestProbe.agent().await(machine.agentSocket(), LIMIT);
    double millis = (System.nanoTime() - start) / 1e6;
    machines.remove(id);
    return millis;
  }

  private static void command(String... words) throws IOException {
    try {
      int code = new ProcessBuilder(words).inheritIO().start().waitFor();
      if (code != 0) {
        throw new IOException(String.join(" ", words) + " ended with " + code);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    try {
      machines.recover().forEach(machine -> machines.remove(machine.sandboxId()));
      command("ip", "netns", "delete", namespace);
      TemporaryDirectory.delete(directory);
    } catch (IOException e) {
      System.err.println("the floor left something in " + directory + ": " + e);
    }
  }
}
