package dev.berth.agent.images;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.berth.agent.images.records.RecordDirectory;
import java.util.Optional;
import java.util.Set;

/// Records which entry of an index each handler got, across restarts of the agent: the same name
/// refers to different images under different handlers.
public final class HandlerEntries {
  private static final TypeReference<String> DIGEST = new TypeReference<>() {};

  private final RecordDirectory records;

  public HandlerEntries(RecordDirectory records) {
    this.records = records;
  }

  Optional<String> digest(String service, String image, String handler) {
    return records.read(key(service, image, handler), DIGEST);
  }

  void put(String service, String image, String handler, String digest) {
    if (!digest(service, image, handler).equals(Optional.of(digest))) {
      records.write(key(service, image, handler), digest);
    }
  }

  long moment() {
    return records.moment();
  }

  /// Forgets entries that a service no longer has.
  void retain(String service, Set<String> digests, long moment) {
    Set<String> gone = new java.util.HashSet<>();
    records
        .all()
        .forEach(
            (key, digest) -> {
              if (key.startsWith(service + " ") && !digests.contains(digest.asText())) {
                gone.add(key);
              }
            });
    records.retain(key -> !gone.contains(key), moment);
  }

  private static String key(String service, String image, String handler) {
    return service + " " + image + " " + handler;
  }
}
