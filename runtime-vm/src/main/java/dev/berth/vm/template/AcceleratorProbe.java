package dev.berth.vm.template;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.machine.Accelerator;
import dev.berth.vm.machine.MachineException;
import dev.berth.vm.machine.MachineSize;
import dev.berth.vm.machine.ProcessIdentity;
import dev.berth.vm.machine.QemuLauncher;
import dev.berth.vm.machine.QemuPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds out whether KVM works here: a device that can be opened need not run a guest, and on some
/// hosts it hangs. A guest is started in a process that can be killed; the result is kept until the
/// host boots or QEMU changes.
public final class AcceleratorProbe implements Supplier<Accelerator> {
  private static final Logger log = LoggerFactory.getLogger(AcceleratorProbe.class);
  private static final JsonMapper JSON = new JsonMapper();
  private static final Path DEVICE = Path.of("/dev/kvm");
  private static final MachineSize SIZE = new MachineSize(64, 1);

  /// With KVM a kernel's first line takes a tenth of a second.
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final TemplateSettings settings;
  private final QemuLauncher launcher;
  private final Supplier<GuestFiles> guests;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable AcceleratorChoice choice;

  public AcceleratorProbe(
      TemplateSettings settings, QemuLauncher launcher, Supplier<GuestFiles> guests) {
    this.settings = settings;
    this.launcher = launcher;
    this.guests = guests;
  }

  /// Which one, and why.
  ///
  /// @param reason a sentence for the status of the runtime
  /// @param key the boot of the host and the QEMU that it was found with
  public record AcceleratorChoice(Accelerator accelerator, String reason, String key) {}

  /// The first call takes up to ten seconds.
  @Override
  public Accelerator get() {
    return choose().accelerator();
  }

  public AcceleratorChoice choose() {
    AcceleratorChoice known = choice;
    if (known != null) {
      return known;
    }
    lock.lock();
    try {
      AcceleratorChoice meanwhile = choice;
      if (meanwhile != null) {
        return meanwhile;
      }
      AcceleratorChoice made = kept().orElseGet(this::probe);
      choice = made;
      return made;
    } finally {
      lock.unlock();
    }
  }

  private Path file() {
    return settings.directory().resolve("accelerator.json");
  }

  private String key() {
    try {
      return ProcessIdentity.bootId() + " " + launcher.identity();
    } catch (IOException noQemu) {
      return ProcessIdentity.bootId();
    }
  }

  private Optional<AcceleratorChoice> kept() {
    try {
      AcceleratorChoice kept = JSON.readValue(Files.readAllBytes(file()), AcceleratorChoice.class);
      return Optional.of(kept).filter(found -> found.key().equals(key()));
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  private AcceleratorChoice probe() {
    if (!Files.exists(DEVICE)) {
      return new AcceleratorChoice(Accelerator.TCG, "this host has no " + DEVICE, key());
    }
    AcceleratorChoice made;
    try {
      made = boot();
      Path file = Files.createTempFile(settings.directory(), "accelerator", ".new");
      Files.write(file, JSON.writeValueAsBytes(made));
      Files.move(file, file(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      made = new AcceleratorChoice(Accelerator.TCG, "KVM was not tried: " + failure, key());
    }
    log.info("accelerator chosen name={} reason={}", made.accelerator(), made.reason());
    return made;
  }

  /// Until the guest's kernel writes something.
  private AcceleratorChoice boot() throws IOException {
    Files.createDirectories(settings.directory());
    Path directory = Files.createTempDirectory(settings.directory(), TemplateFiles.HALF_MADE);
    TemplateFiles files = new TemplateFiles(directory);
    try {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
      files.createScratch(1 << 22, settings.user());
      QemuPlan plan = plan(files);
      ProcessIdentity process = launcher.spawn(plan);
      try {
        return await(plan, process);
      } finally {
        if (!process.kill(LIMIT)) {
          log.warn("the process that tried KVM cannot be killed pid={}", process.pid());
        }
      }
    } catch (MachineException noQemu) {
      return new AcceleratorChoice(Accelerator.TCG, noQemu.problem().toString(), key());
    } finally {
      files.delete();
    }
  }

  private QemuPlan plan(TemplateFiles files) {
    return new QemuPlan(
        "berth-kvm-probe",
        files.directory(),
        settings.user(),
        SIZE,
        Accelerator.KVM,
        guests.get(),
        new QemuPlan.GuestMemory.Anonymous(),
        new QemuPlan.ScratchDisk.Plain(files.scratch().getFileName().toString()),
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  private AcceleratorChoice await(QemuPlan plan, ProcessIdentity process) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < deadline) {
      if (launcher.consoleBytes(plan) > 0) {
        return new AcceleratorChoice(Accelerator.KVM, "a guest ran with KVM", key());
      }
      if (!process.alive()) {
        String why = "QEMU does not run with KVM" + launcher.output(plan);
        return new AcceleratorChoice(Accelerator.TCG, why, key());
      }
      LockSupport.parkNanos(5_000_000);
    }
    String why = "a guest did not run with KVM within %d s".formatted(LIMIT.toSeconds());
    return new AcceleratorChoice(Accelerator.TCG, why, key());
  }
}
