package dev.berth.vm.images;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.vm.images.tar.TarEntry;
import dev.berth.vm.images.tar.TarEntryType;
import dev.berth.vm.images.tar.TarFormatException;
import dev.berth.vm.images.tar.TarReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A tar file whose files can be read in any order, without unpacking it.
final class ArchiveFile implements AutoCloseable {
  private static final int MOST_FILES = 100_000;
  private static final int MOST_JSON = 4 * 1024 * 1024;
  private static final int MOST_LINKS = 8;
  private static final ObjectMapper JSON = new ObjectMapper();

  private record ArchivePart(long offset, long size) {}

  private final FileChannel file;
  private final Map<String, ArchivePart> parts = new HashMap<>();

  /// Older versions of Docker write a layer that several images have once, and links to it.
  private final Map<String, String> links = new HashMap<>();

  private ArchiveFile(FileChannel file) {
    this.file = file;
  }

  static ArchiveFile open(Path path) throws IOException {
    FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
    ArchiveFile archive = new ArchiveFile(file);
    try {
      archive.list();
      return archive;
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  private void list() throws IOException {
    try (FileRange all = new FileRange(file, 0, file.size())) {
      TarReader reader = new TarReader(all);
      for (TarEntry entry = reader.next(); entry != null; entry = reader.next()) {
        if (parts.size() + links.size() >= MOST_FILES) {
          throw new TarFormatException("it has more than %d files".formatted(MOST_FILES));
        }
        String name = entry.name().startsWith("./") ? entry.name().substring(2) : entry.name();
        if (entry.type() == TarEntryType.FILE) {
          parts.put(name, new ArchivePart(all.position(), entry.size()));
        } else if (entry.type() == TarEntryType.SYMLINK) {
          links.put(
              name,
              Path.of("/" + name)
                  .resolveSibling(entry.linkName())
                  .normalize()
                  .toString()
                  .substring(1));
        } else if (entry.type() == TarEntryType.HARD_LINK) {
          links.put(name, entry.linkName());
        }
      }
    }
  }

  private Optional<ArchivePart> part(String name) {
    String actual = name;
    for (int i = 0; i < MOST_LINKS && !parts.containsKey(actual); i++) {
      actual = links.getOrDefault(actual, actual);
    }
    return Optional.ofNullable(parts.get(actual));
  }

  boolean has(String name) {
    return part(name).isPresent();
  }

  /// @throws TarFormatException if it is not there
  long size(String name) throws TarFormatException {
    return present(name).size();
  }

  InputStream read(String name) throws TarFormatException {
    ArchivePart part = present(name);
    return new FileRange(file, part.offset(), part.size());
  }

  private ArchivePart present(String name) throws TarFormatException {
    return part(name)
        .orElseThrow(() -> new TarFormatException("it has no file %s".formatted(name)));
  }

  byte[] bytes(String name) throws IOException {
    if (size(name) > MOST_JSON) {
      throw new TarFormatException("its file %s has more than %d bytes".formatted(name, MOST_JSON));
    }
    try (InputStream in = read(name)) {
      return in.readAllBytes();
    }
  }

  static JsonNode json(String name, byte[] bytes) throws IOException {
    try {
      return JSON.readTree(bytes);
    } catch (JsonProcessingException e) {
      throw new TarFormatException("its file %s is not JSON".formatted(name));
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
