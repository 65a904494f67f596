package dev.berth.vm.images;

import dev.berth.vm.images.erofs.ErofsImage;
import dev.berth.vm.images.layers.FileTree;
import dev.berth.vm.images.layers.LayerConverter;
import dev.berth.vm.images.layers.LayerFiles;
import dev.berth.vm.images.layers.LayerLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Converts layers and puts their disk together, as a virtual machine has it.
public final class TestStack {
  private TestStack() {}

  /// Makes a file with the whole disk, in an empty directory.
  public static Path disk(Path directory, List<byte[]> tars) throws IOException {
    FileTree tree = new FileTree(LayerLimits.USUAL.entries());
    List<Path> data = new ArrayList<>();
    List<Long> blocks = new ArrayList<>();
    for (byte[] tar : tars) {
      LayerFiles files =
          new LayerFiles(Files.createDirectory(directory.resolve("layer" + data.size())));
      new LayerConverter(LayerLimits.USUAL).convert(new ByteArrayInputStream(tar), files);
      tree.apply(files.entries(), data.size());
      data.add(files.data());
      blocks.add(files.dataBytes() / 4096);
    }
    Path disk = directory.resolve("disk");
    try (FileChannel channel =
        FileChannel.open(
            disk,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      new ErofsImage(tree.root(), blocks).write(channel, new byte[16]);
    }
    try (OutputStream out = Files.newOutputStream(disk, StandardOpenOption.APPEND)) {
      for (Path file : data) {
        Files.copy(file, out);
      }
    }
    return disk;
  }

  /// What a program writes.
  public static String run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException(String.join(" ", command) + ": " + output);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return output;
  }
}
