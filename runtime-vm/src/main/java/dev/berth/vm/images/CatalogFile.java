package dev.berth.vm.images;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.api.PrivateFiles;
import dev.berth.vm.images.ImageCatalog.CatalogImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The catalog on disk. Replacing the file is the moment in which images come and go.
final class CatalogFile {
  private static final Logger log = LoggerFactory.getLogger(CatalogFile.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final StoreDirectory directory;

  CatalogFile(StoreDirectory directory) {
    this.directory = directory;
  }

  /// The images whose files are all there.
  ImageCatalog read() throws IOException {
    String text;
    try {
      text = Files.readString(directory.catalog());
    } catch (NoSuchFileException _) {
      return ImageCatalog.EMPTY;
    }
    ImageCatalog stored;
    try {
      stored = JSON.readValue(text, ImageCatalog.class);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "%s is damaged; remove the directory, and images are pulled again"
              .formatted(directory.catalog()),
          e);
    }
    List<CatalogImage> complete = stored.images().stream().filter(this::isComplete).toList();
    return new ImageCatalog(complete);
  }

  private boolean isComplete(CatalogImage image) {
    boolean isThere =
        Files.exists(directory.metadata(image.id()))
            && image.layers().stream().allMatch(layer -> isFile(directory.layer(layer).index()));
    if (!isThere) {
      log.warn("image forgotten, its files are missing id={}", image.id());
    }
    return isThere;
  }

  private static boolean isFile(Path file) {
    return Files.isRegularFile(file);
  }

  void write(ImageCatalog catalog) throws IOException {
    PrivateFiles.replace(directory.catalog(), JSON.writeValueAsString(catalog));
  }
}
