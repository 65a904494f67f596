package dev.berth.vm.images.layers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A converted layer on disk.
///
/// @param directory with the data and the index
public record LayerFiles(Path directory) {
  public Path data() {
    return directory.resolve("data");
  }

  public Path index() {
    return directory.resolve("index");
  }

  public long dataBytes() throws IOException {
    return Files.size(data());
  }

  public List<LayerEntry> entries() throws IOException {
    return LayerIndex.read(index());
  }
}
