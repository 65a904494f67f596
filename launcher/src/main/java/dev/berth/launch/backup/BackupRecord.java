package dev.berth.launch.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.api.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/// The metadata of a backup. A directory that has this record is not the data directory of a live
/// node.
///
/// @param from the data directory that was backed up
public record BackupRecord(Instant madeAt, long revision, int objects, String from) {
  private static final String FILE = "backup.json";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  void write(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    PrivateFiles.createFile(file);
    Files.writeString(
        file,
        JSON.createObjectNode()
            .put("madeAt", madeAt.toString())
            .put("revision", revision)
            .put("objects", objects)
            .put("from", from)
            .toPrettyString());
  }

  /// Reads the record; empty for data directories, and for backups of earlier versions.
  public static Optional<BackupRecord> read(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    JsonNode tree = JSON.readTree(Files.readString(file));
    return Optional.of(
        new BackupRecord(
            Instant.parse(tree.path("madeAt").asText(Instant.EPOCH.toString())),
            tree.path("revision").asLong(),
            tree.path("objects").asInt(),
            tree.path("from").asText()));
  }
}
