package dev.berth.vm.images;

import dev.berth.api.PrivateFiles;
import dev.berth.vm.images.layers.LayerFiles;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The files of the store. What is half-done lies in `work` and goes at the next start; everything
/// else got its place by a rename.
record StoreDirectory(Path root) {
  /// Creates what is missing and removes what was half-done when the last process ended.
  static StoreDirectory open(Path root) throws IOException {
    StoreDirectory directory = new StoreDirectory(root);
    PrivateFiles.createPrivateDirectory(root);
    deleteTree(directory.work());
    for (Path part : List.of(directory.work(), directory.layers(), directory.metadata())) {
      PrivateFiles.createDirectory(part);
    }
    try (Stream<Path> files = Files.list(root)) {
      for (Path file : files.toList()) {
        if (file.toString().endsWith(".tmp")) {
          Files.delete(file);
        }
      }
    }
    return directory;
  }

  Path catalog() {
    return root.resolve("catalog.json");
  }

  Path layers() {
    return root.resolve("layers");
  }

  Path metadata() {
    return root.resolve("metadata");
  }

  private Path work() {
    return root.resolve("work");
  }

  LayerFiles layer(String digest) {
    return new LayerFiles(layers().resolve(ImageNames.hexOf(digest)));
  }

  /// EROFS metadata of an image.
  Path metadata(String id) {
    return metadata().resolve(ImageNames.hexOf(id));
  }

  /// A directory for what is not complete yet; the caller deletes it.
  Path newWork() throws IOException {
    return Files.createDirectory(work().resolve(UUID.randomUUID().toString()));
  }

  /// Gives a complete file or directory its place, durably.
  static void publish(Path made, Path place) throws IOException {
    Files.move(made, place, StandardCopyOption.ATOMIC_MOVE);
    PrivateFiles.syncDirectory(place.getParent());
  }

  /// Removes something complete: at once for everybody who looks for it.
  void discard(Path place) throws IOException {
    Path trash = work().resolve(UUID.randomUUID().toString());
    try {
      Files.move(place, trash, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException _) {
      return;
    }
    deleteTree(trash);
  }

  static void deleteTree(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  ImageStoreUsage usage() throws IOException {
    long bytes = 0;
    long count = 0;
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        try {
          if (Files.isRegularFile(file)) {
            bytes += Files.size(file);
            count++;
          }
        } catch (NoSuchFileException _) {
          // Removed meanwhile, so it uses nothing.
        }
      }
    }
    return new ImageStoreUsage(root, bytes, count);
  }
}
