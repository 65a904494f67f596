package dev.berth.chaos.machine;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A small ext4 file system in a file, which can lose its power and fill up. What the file system
/// has written to its loop device survives a power cut, as on a disk without a volatile cache.
public final class LoopDisk implements AutoCloseable {
  private static final String FILLER = "filler";
  private static final int LARGE_BLOCK = 1 << 20;
  private static final int SMALL_BLOCK = 512;

  private final Path image;
  private final Path mountPoint;
  private final FileSystemShutdown shutdown = new FileSystemShutdown();

  private LoopDisk(Path image, Path mountPoint) {
    this.image = image;
    this.mountPoint = mountPoint;
  }

  /// Creates the file system and mounts it.
  ///
  /// @param directory the directory of the image and the mount point
  public static LoopDisk create(Path directory, int mebibytes) throws IOException {
    Path image = directory.resolve("disk.img");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength((long) mebibytes << 20);
    }
    // Without reserved blocks, which would let root write on a full disk.
    ShellCommand.run("mke2fs", "-q", "-t", "ext4", "-m", "0", image.toString());
    LoopDisk disk = new LoopDisk(image, Files.createDirectories(directory.resolve("disk")));
    disk.mount();
    return disk;
  }

  public Path directory() {
    return mountPoint;
  }

  public void mount() throws IOException {
    ShellCommand.run("mount", "-o", "loop", image.toString(), mountPoint.toString());
  }

  /// Drops everything that is not written yet. Processes with open files must end before `mount`.
  public void cutPower() throws IOException {
    shutdown.apply(mountPoint);
  }

  public void unmount() throws IOException {
    ShellCommand.run("umount", mountPoint.toString());
  }

  /// Fills the disk to less than one free block.
  public void fill() throws IOException {
    Path file = mountPoint.resolve(FILLER);
    try (FileChannel out =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      writeUntilFull(out, LARGE_BLOCK);
      // The last block: a server may still write a few hundred bytes into a partly filled one.
      writeUntilFull(out, SMALL_BLOCK);
    }
  }

  /// Appends blocks until the file system has no room for another one.
  private static void writeUntilFull(FileChannel out, int block) {
    ByteBuffer bytes = ByteBuffer.allocate(block);
    try {
      while (true) {
        bytes.clear();
        if (out.write(bytes) < block) {
          return;
        }
        // Blocks are allocated when they are written, not when they are buffered.
        out.force(false);
      }
    } catch (IOException _) {
      // The disk is full.
    }
  }

  public void free() throws IOException {
    Files.deleteIfExists(mountPoint.resolve(FILLER));
  }

  @Override
  public void close() throws IOException {
    ShellCommand.run("umount", "-l", mountPoint.toString());
    Files.deleteIfExists(image);
  }
}
