package dev.berth.vm.images;

import dev.berth.vm.images.erofs.ErofsImage;
import dev.berth.vm.images.layers.FileTree;
import dev.berth.vm.images.layers.LayerFiles;
import dev.berth.vm.images.layers.LayerFormatException;
import dev.berth.vm.images.layers.LayerLimits;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Makes the file system of an image out of its layers.
final class ImageAssembler {
  private static final int BLOCK = 4096;

  private final StoreDirectory directory;
  private final LayerLimits limits;

  ImageAssembler(StoreDirectory directory, LayerLimits limits) {
    this.directory = directory;
    this.limits = limits;
  }

  /// Writes the metadata to a new file, durably.
  ///
  /// @param image for messages
  /// @param layers digests of the tar files, lowest first; all are there
  void assemble(String image, String id, List<String> layers, Path file) throws IOException {
    List<String> distinct = distinct(layers);
    FileTree tree = new FileTree(limits.entries());
    for (String layer : layers) {
      try {
        tree.apply(directory.layer(layer).entries(), distinct.indexOf(layer));
      } catch (LayerFormatException e) {
        throw ImageFailures.invalid(
            image,
            "the layer with the content %s is not acceptable: %s".formatted(layer, e.getMessage()),
            e);
      }
    }
    List<Long> blocks = new ArrayList<>();
    for (String layer : distinct) {
      blocks.add(directory.layer(layer).dataBytes() / BLOCK);
    }
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
      byte[] volume = HexFormat.of().parseHex(ImageNames.hexOf(id));
      new ErofsImage(tree.root(), blocks).write(channel, volume);
      channel.force(true);
    }
  }

  /// The files of the disk: the metadata, then the data that is not empty.
  List<Path> extents(String id, List<String> layers) throws IOException {
    List<Path> extents = new ArrayList<>();
    extents.add(directory.metadata(id));
    for (String layer : distinct(layers)) {
      LayerFiles files = directory.layer(layer);
      if (files.dataBytes() > 0) {
        extents.add(files.data());
      }
    }
    return extents;
  }

  /// A layer that an image has twice has its data on the disk once.
  private static List<String> distinct(List<String> layers) {
    return layers.stream().distinct().toList();
  }
}
