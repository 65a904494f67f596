package dev.berth.vm.kernel;

import dev.berth.api.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The kernel and the first file system of guests, kept in a directory of its own so that a kernel
/// package which is upgraded or removed takes nothing away from running machines.
public final class GuestKernel {
  /// What the guest program and machines need; loaded in this order.
  private static final List<String> MODULES =
      List.of(
          "virtio_mmio",
          "virtio_blk",
          "virtio_net",
          "virtio_console",
          "virtio_balloon",
          "virtio_rng",
          "ext4",
          "erofs",
          "overlay");

  private static final String HALF_MADE = ".making-";

  private final List<Path> roots;
  private final Path directory;
  private final byte[] program;
  private final ReentrantLock lock = new ReentrantLock();

  /// The last answer, and what it was made from. Guarded by the lock.
  private @Nullable GuestFiles known;

  private List<Object> knownSource = List.of();

  /// @param roots directories with `boot` and `lib/modules`; the first with a kernel is used
  /// @param directory for the files made here; another process must not use it
  public GuestKernel(List<Path> roots, Path directory) {
    this(roots, directory, guestProgram());
  }

  /// @param program the static binary that becomes `/init`
  GuestKernel(List<Path> roots, Path directory, byte[] program) {
    this.roots = List.copyOf(roots);
    this.directory = directory;
    this.program = program.clone();
  }

  /// What `runtime-vm/guest` builds.
  private static byte[] guestProgram() {
    try (InputStream program =
        Objects.requireNonNull(GuestKernel.class.getResourceAsStream("guest-init"))) {
      return program.readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// Finds the kernel, and makes what is missing. An upgraded kernel is used by the machines that
  /// start after it.
  ///
  /// @throws KernelException if there is no kernel, or no disk left
  public GuestFiles files() {
    KernelInstallation kernel = KernelInstallation.find(roots);
    lock.lock();
    try {
      // Package managers replace kernels under new names or with new times.
      List<Object> source =
          List.of(
              kernel.image(),
              Files.getLastModifiedTime(kernel.image()),
              Files.getLastModifiedTime(kernel.modules()));
      GuestFiles made = known;
      if (made != null && source.equals(knownSource) && Files.exists(made.initramfs())) {
        return made;
      }
      byte[] image = Files.readAllBytes(kernel.image());
      byte[] initramfs = initramfs(kernel);
      String identity = identity(image, initramfs);
      Path home = directory.resolve(kernel.release() + "-" + identity);
      if (!Files.isDirectory(home)) {
        publish(home, image, initramfs);
      }
      GuestFiles files =
          new GuestFiles(home.resolve("vmlinuz"), home.resolve("initramfs"), identity);
      known = files;
      knownSource = source;
      return files;
    } catch (IOException failure) {
      throw new KernelException(
          new Problem(
              "the files that virtual machines boot cannot be made in " + directory,
              failure.toString(),
              "Check the disk and the permissions of the directory"),
          failure);
    } finally {
      lock.unlock();
    }
  }

  private byte[] initramfs(KernelInstallation kernel) throws IOException {
    ModuleOrder order =
        new ModuleOrder(
            Files.readAllLines(kernel.modules().resolve("modules.dep")),
            Files.readAllLines(kernel.modules().resolve("modules.builtin")));
    Set<String> missing = order.missing(MODULES);
    if (!missing.isEmpty()) {
      throw new KernelException(
          new Problem(
              "kernel %s cannot run virtual machines".formatted(kernel.release()),
              "it lacks the modules %s in %s".formatted(missing, kernel.modules()),
              "Use the kernel of the Debian package linux-image-cloud-amd64"),
          null);
    }
    CpioArchive archive = new CpioArchive();
    List.of("dev", "proc", "sys", "modules").forEach(archive::directory);
    // The kernel opens it for init before init can mount anything.
    archive.device("dev/console", 5, 1).program("init", program);
    List<String> names = new ArrayList<>();
    for (String path : order.load(MODULES)) {
      String name = ModuleOrder.name(path) + ".ko";
      archive.file("modules/" + name, ModuleFile.read(kernel.modules().resolve(path)));
      names.add(name);
    }
    String list = String.join("\n", names) + "\n";
    return archive.file("modules/order", list.getBytes(StandardCharsets.UTF_8)).finish();
  }

  private static String identity(byte[] image, byte[] initramfs) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(image);
      digest.update(initramfs);
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /// Complete or not there at all, also when this process is killed.
  private void publish(Path home, byte[] image, byte[] initramfs) throws IOException {
    Files.createDirectories(directory);
    removeHalfMade();
    Path making = Files.createTempDirectory(directory, HALF_MADE);
    Files.setPosixFilePermissions(making, PosixFilePermissions.fromString("rwxr-xr-x"));
    write(making.resolve("vmlinuz"), image);
    write(making.resolve("initramfs"), initramfs);
    Files.move(making, home, StandardCopyOption.ATOMIC_MOVE);
  }

  private void removeHalfMade() throws IOException {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, HALF_MADE + "*")) {
      for (Path home : left) {
        Files.deleteIfExists(home.resolve("vmlinuz"));
        Files.deleteIfExists(home.resolve("initramfs"));
        Files.delete(home);
      }
    }
  }

  /// QEMU's own user reads them.
  private static void write(Path file, byte[] content) throws IOException {
    Files.write(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
  }
}
