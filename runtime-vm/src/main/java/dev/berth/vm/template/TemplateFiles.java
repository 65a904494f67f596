package dev.berth.vm.template;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.machine.SavedMachine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/// The files of one template, which are complete, or not taken for a template.
///
/// @param directory owned by root
record TemplateFiles(Path directory) {
  static final String HALF_MADE = ".making-";
  private static final JsonMapper JSON = new JsonMapper();
  private static final int CHUNK = 1 << 16;

  /// More than the part of a kernel that runs in real mode.
  private static final int KERNEL_HEAD = 1 << 16;

  /// Pages of nothing take no room, in memory as on disk.
  private static final int PAGE = 1 << 12;

  /// What the files were when they were published; a crash of the host may have lost part of them.
  ///
  /// @param memoryBytes of the guest
  record TemplateSummary(long memoryBytes, long memorySum, long stateSum, long scratchBytes) {}

  /// All directories of templates, also those that are half-made.
  static List<TemplateFiles> all(Path templates) throws IOException {
    List<TemplateFiles> all = new ArrayList<>();
    try (DirectoryStream<Path> directories =
        Files.newDirectoryStream(templates, path -> Files.isDirectory(path))) {
      directories.forEach(directory -> all.add(new TemplateFiles(directory)));
    }
    return all;
  }

  /// Whether nobody removed it.
  boolean present() {
    return Files.exists(state()) && Files.exists(scratch());
  }

  boolean halfMade() {
    return directory.getFileName().toString().startsWith(HALF_MADE);
  }

  Instant lastUse() throws IOException {
    return Files.getLastModifiedTime(directory).toInstant();
  }

  Path memory() {
    return directory.resolve("memory");
  }

  Path state() {
    return directory.resolve("state");
  }

  Path scratch() {
    return directory.resolve("scratch");
  }

  /// A restored machine has its kernel in its memory. QEMU still wants to see one, and reads the
  /// whole file into memory of its own: the head is enough.
  void writeHeads(GuestFiles guest) throws IOException {
    head(guest.kernel(), kernel(), KERNEL_HEAD);
    head(guest.initramfs(), initramfs(), PAGE);
  }

  private static void head(Path from, Path to, int bytes) throws IOException {
    try (InputStream input = Files.newInputStream(from)) {
      Files.write(to, input.readNBytes(bytes), StandardOpenOption.CREATE_NEW);
    }
  }

  GuestFiles guest(String identity) {
    return new GuestFiles(kernel(), initramfs(), identity);
  }

  private Path kernel() {
    return directory.resolve("kernel");
  }

  private Path initramfs() {
    return directory.resolve("initramfs");
  }

  private Path summary() {
    return directory.resolve("template.json");
  }

  /// Writes the guest's memory and, last, what makes the template complete. Everything is on the
  /// disk when this returns.
  void finish(SealedMemory memory) throws IOException {
    long bytes;
    long sum;
    try (FileChannel from = memory.open();
        FileChannel to =
            FileChannel.open(memory(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      bytes = from.size();
      sum = copy(from, to);
      to.force(true);
    }
    for (Path file : List.of(memory(), state(), scratch(), kernel(), initramfs())) {
      force(file);
      Files.setAttribute(file, "unix:uid", 0);
      Files.setAttribute(file, "unix:gid", 0);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    }
    TemplateSummary summary = new TemplateSummary(bytes, sum, stateSum(), Files.size(scratch()));
    Files.write(summary(), JSON.writeValueAsBytes(summary));
    force(summary());
  }

  /// An empty disk, which the guest that is to be saved fills.
  void createScratch(long bytes, int user) throws IOException {
    ScratchFile.create(scratch(), bytes);
    Files.setPosixFilePermissions(scratch(), PosixFilePermissions.fromString("rw-------"));
    Files.setAttribute(scratch(), "unix:gid", user);
    Files.setAttribute(scratch(), "unix:uid", user);
  }

  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /// Reads the memory back.
  ///
  /// @throws IOException if the template is damaged
  SealedMemory load(String name) throws IOException {
    TemplateSummary expected = JSON.readValue(Files.readAllBytes(summary()), TemplateSummary.class);
    if (expected.stateSum() != stateSum()
        || expected.scratchBytes() != Files.size(scratch())
        || Files.size(kernel()) == 0
        || Files.size(initramfs()) == 0) {
      throw new IOException("template %s is damaged".formatted(directory));
    }
    SealedMemory memory = SealedMemory.create(name, expected.memoryBytes());
    try (FileChannel from = FileChannel.open(memory(), StandardOpenOption.READ);
        FileChannel to = memory.open()) {
      if (from.size() != expected.memoryBytes() || copy(from, to) != expected.memorySum()) {
        throw new IOException("the memory of template %s is damaged".formatted(directory));
      }
    } catch (IOException | RuntimeException failure) {
      memory.close();
      throw failure;
    }
    memory.seal();
    return memory;
  }

  SavedMachine saved(SealedMemory memory) {
    return new SavedMachine(memory.path(), state(), scratch());
  }

  /// Copies what is not zero.
  ///
  /// @return a checksum of everything
  private static long copy(FileChannel from, FileChannel to) throws IOException {
    CRC32C sum = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
    byte[] page = new byte[PAGE];
    byte[] nothing = new byte[PAGE];
    long position = 0;
    while (from.read(buffer.clear(), position) > 0) {
      buffer.flip();
      sum.update(buffer.duplicate());
      int length = buffer.remaining();
      for (int at = 0; at < length; at += PAGE) {
        int count = Math.min(PAGE, length - at);
        buffer.get(at, page, 0, count);
        if (!Arrays.equals(page, 0, count, nothing, 0, count)) {
          write(to, ByteBuffer.wrap(page, 0, count), position + at);
        }
      }
      position += length;
    }
    if (to.size() < position) {
      write(to, ByteBuffer.wrap(new byte[1]), position - 1);
    }
    return sum.getValue();
  }

  private static void write(FileChannel to, ByteBuffer bytes, long position) throws IOException {
    long at = position;
    while (bytes.hasRemaining()) {
      at += to.write(bytes, at);
    }
  }

  private long stateSum() throws IOException {
    CRC32C sum = new CRC32C();
    sum.update(Files.readAllBytes(state()));
    return sum.getValue();
  }

  void delete() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException gone) {
      return;
    }
    Files.deleteIfExists(directory);
  }
}
