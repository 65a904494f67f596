package dev.berth.vm.template;

import dev.berth.api.Problem;
import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.kernel.KernelException;
import dev.berth.vm.machine.Accelerator;
import dev.berth.vm.machine.MachineException;
import dev.berth.vm.machine.MachineSize;
import dev.berth.vm.machine.MachineSource;
import dev.berth.vm.machine.QemuLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps one saved machine per guest, QEMU and size. It is made when it is first needed, and its
/// memory is then held for all clones.
public final class TemplateStore implements MachineSources {
  private static final Logger log = LoggerFactory.getLogger(TemplateStore.class);
  private static final int BOOTS = 5;

  /// A template that nobody used for so long goes when another one is made.
  private static final Duration UNUSED = Duration.ofDays(7);

  private final TemplateSettings settings;
  private final QemuLauncher launcher;
  private final Supplier<GuestFiles> guests;
  private final Supplier<Accelerator> accelerator;
  private final TemplateMaker maker;
  private final Clock clock;

  /// By template key.
  private final Map<String, LoadedTemplate> loaded = new ConcurrentHashMap<>();

  /// By size: who needs what another one makes waits here.
  private final Map<MachineSize, ReentrantLock> locks = new ConcurrentHashMap<>();

  /// Guards the empty disk.
  private final ReentrantLock scratchLock = new ReentrantLock();

  private record LoadedTemplate(TemplateFiles files, SealedMemory memory) {}

  /// Removes what an earlier process left half-made.
  ///
  /// @param guests asked for each machine, such as `GuestKernel::files`
  public TemplateStore(
      TemplateSettings settings,
      QemuLauncher launcher,
      Supplier<GuestFiles> guests,
      Supplier<Accelerator> accelerator,
      GuestProbe probe,
      Clock clock) {
    this.settings = settings;
    this.launcher = launcher;
    this.guests = guests;
    this.accelerator = accelerator;
    this.maker = new TemplateMaker(launcher, probe, settings.user());
    this.clock = clock;
    removeHalfMade();
  }

  @Override
  public MachineSource source(MachineSize size, boolean shareMemory) {
    try {
      GuestFiles guest = guests.get();
      if (!shareMemory) {
        return new MachineSource.Booted(guest, emptyScratch());
      }
      LoadedTemplate template = template(size, guest);
      return new MachineSource.Restored(
          template.files().guest(guest.identity()), template.files().saved(template.memory()));
    } catch (KernelException missing) {
      throw new MachineException(missing.problem(), missing);
    } catch (IOException failure) {
      throw new MachineException(
          new Problem(
              "virtual machines of size %s cannot start".formatted(size),
              "their template in %s: %s".formatted(settings.directory(), failure),
              "Check the disk and the memory of this node"),
          failure);
    }
  }

  private LoadedTemplate template(MachineSize size, GuestFiles guest) throws IOException {
    Accelerator accelerates = accelerator.get();
    String key = TemplateKey.of(launcher, size, guest, accelerates);
    LoadedTemplate known = loaded.get(key);
    if (known != null && known.files().present()) {
      return known;
    }
    ReentrantLock lock = locks.computeIfAbsent(size, _ -> new ReentrantLock());
    lock.lock();
    try {
      LoadedTemplate meanwhile = loaded.get(key);
      if (meanwhile != null && meanwhile.files().present()) {
        return meanwhile;
      }
      TemplateFiles files = new TemplateFiles(settings.directory().resolve(size + "-" + key));
      Optional<LoadedTemplate> kept = load(files);
      LoadedTemplate template =
          kept.isPresent() ? kept.get() : make(files, size, guest, accelerates);
      loaded.put(key, template);
      return template;
    } finally {
      lock.unlock();
    }
  }

  /// A damaged template is removed, and made once more.
  private Optional<LoadedTemplate> load(TemplateFiles files) throws IOException {
    if (!Files.exists(files.directory())) {
      return Optional.empty();
    }
    try {
      SealedMemory memory = files.load("berth-template");
      Files.setLastModifiedTime(files.directory(), FileTime.from(clock.instant()));
      return Optional.of(new LoadedTemplate(files, memory));
    } catch (IOException damaged) {
      log.warn("template removed directory={} reason={}", files.directory(), damaged.toString());
      files.delete();
      return Optional.empty();
    }
  }

  private LoadedTemplate make(
      TemplateFiles files, MachineSize size, GuestFiles guest, Accelerator accelerates)
      throws IOException {
    removeUnused();
    long start = System.nanoTime();
    log.info(
        "template begins size={} guest={} accelerator={}", size, guest.identity(), accelerates);
    String last = "";
    for (int boot = 1; boot <= BOOTS; boot++) {
      Path directory = Files.createTempDirectory(settings.directory(), TemplateFiles.HALF_MADE);
      TemplateFiles making = new TemplateFiles(directory);
      SealedMemory memory =
          SealedMemory.create("berth-template", (long) size.memoryMebibytes() << 20);
      try {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        making.createScratch(settings.scratchBytes(), settings.user());
        maker.make(size, guest, accelerates, making, memory);
        memory.seal();
        making.writeHeads(guest);
        making.finish(memory);
        Files.move(directory, files.directory(), StandardCopyOption.ATOMIC_MOVE);
        log.info("template ready size={} boots={} millis={}", size, boot, millis(start));
        return new LoadedTemplate(files, memory);
      } catch (TemplateMaker.BootFailure failure) {
        memory.close();
        making.delete();
        last = String.valueOf(failure.getMessage());
        log.warn(
            "template boot failed size={} boot={} limit={} reason={}", size, boot, BOOTS, last);
      } catch (IOException | RuntimeException failure) {
        memory.close();
        making.delete();
        throw failure;
      }
    }
    throw new MachineException(
        new Problem(
            "virtual machines of size %s cannot start".formatted(size),
            "a guest booted %d times and never answered; the last time %s".formatted(BOOTS, last),
            "Give the node more free processor time, or check its kernel and QEMU"),
        null);
  }

  private static long millis(long start) {
    return (System.nanoTime() - start) / 1_000_000;
  }

  private Path emptyScratch() throws IOException {
    scratchLock.lock();
    try {
      Files.createDirectories(settings.directory());
      Path file = settings.directory().resolve("empty-%d.ext4".formatted(settings.scratchBytes()));
      ScratchFile.create(file, settings.scratchBytes());
      return file;
    } finally {
      scratchLock.unlock();
    }
  }

  private void removeHalfMade() {
    try {
      Files.createDirectories(settings.directory());
      for (TemplateFiles files : TemplateFiles.all(settings.directory())) {
        if (files.halfMade()) {
          launcher.endProcesses(files.directory(), settings.user());
          files.delete();
        }
      }
    } catch (IOException failure) {
      throw new MachineException(
          new Problem(
              "templates of virtual machines in " + settings.directory(),
              failure.toString(),
              "Check the disk and the permissions of the directory"),
          failure);
    }
  }

  /// Running clones keep what they have open.
  private void removeUnused() throws IOException {
    for (TemplateFiles files : TemplateFiles.all(settings.directory())) {
      boolean used = loaded.values().stream().anyMatch(template -> template.files().equals(files));
      if (!used && !files.halfMade() && files.lastUse().isBefore(clock.instant().minus(UNUSED))) {
        log.info("template removed, it is unused directory={}", files.directory());
        files.delete();
      }
    }
  }
}
