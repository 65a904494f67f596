package dev.berth.agent.images.records;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Small values by key, one private file each, replaced atomically.
///
/// Values are not synced to the disk: whoever loses one after a power cut asks again. A file that
/// cannot be read counts as absent; one that cannot be written leaves the value in memory.
public final class RecordDirectory {
  private static final Logger log = LoggerFactory.getLogger(RecordDirectory.class);
  private static final JsonMapper JSON = new JsonMapper();
  private static final String SUFFIX = ".json";

  private final Path directory;

  /// Of all files, by key.
  private final ConcurrentMap<String, JsonNode> values = new ConcurrentHashMap<>();

  /// Counts writes since the directory was opened.
  private final AtomicLong writes = new AtomicLong();

  /// The count at the last write of each key.
  private final ConcurrentMap<String, Long> lastWrites = new ConcurrentHashMap<>();

  private RecordDirectory(Path directory) {
    this.directory = directory;
  }

  /// Makes the directory if it is missing, and reads what is there.
  public static RecordDirectory open(Path directory) {
    RecordDirectory opened = new RecordDirectory(directory);
    try {
      PrivateFiles.createPrivateDirectory(directory);
      opened.load();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return opened;
  }

  public <T> Optional<T> read(String key, TypeReference<T> type) {
    JsonNode value = values.get(key);
    return value == null ? Optional.empty() : Optional.of(JSON.convertValue(value, type));
  }

  public void write(String key, Object value) {
    JsonNode tree = JSON.valueToTree(value);
    lastWrites.put(key, writes.incrementAndGet());
    values.put(key, tree);
    ObjectNode content = JSON.createObjectNode().put("key", key).set("value", tree);
    Path file = file(key);
    try {
      PrivateFiles.replaceWithoutSync(file, JSON.writeValueAsString(content));
    } catch (IOException e) {
      log.warn("record of images not written file={} reason={}", file, e.getMessage());
    }
  }

  public void remove(String key) {
    lastWrites.remove(key);
    if (values.remove(key) == null) {
      return;
    }
    try {
      Files.deleteIfExists(file(key));
    } catch (IOException e) {
      log.warn("record of images not removed file={} reason={}", file(key), e.getMessage());
    }
  }

  /// A moment, for `retain`.
  public long moment() {
    return writes.get();
  }

  /// Removes what the predicate does not accept, except what was written after a moment: whoever
  /// decides may have looked before that.
  public void retain(Predicate<String> keys, long moment) {
    values.keySet().stream()
        .filter(key -> !keys.test(key) && lastWrites.getOrDefault(key, 0L) <= moment)
        .toList()
        .forEach(this::remove);
  }

  public Map<String, JsonNode> all() {
    return Map.copyOf(values);
  }

  private void load() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
      for (Path file : files) {
        load(file);
      }
    }
  }

  private void load(Path file) throws IOException {
    try {
      JsonNode content = JSON.readTree(Files.readString(file));
      String key = content.path("key").asText();
      if (!key.isEmpty() && content.has("value")) {
        values.put(key, content.get("value"));
      }
    } catch (JsonProcessingException e) {
      log.warn("record of images not readable file={} reason={}", file, e.getOriginalMessage());
    }
  }

  /// Keys have slashes and may be longer than names of files.
  private Path file(String key) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return directory.resolve(HexFormat.of().formatHex(hash) + SUFFIX);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
