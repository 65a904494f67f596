package dev.berth.agent.images;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.berth.agent.images.records.RecordDirectory;
import dev.berth.agent.runtimes.HandlerImage;
import dev.berth.agent.runtimes.ImageHandlers;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.registry.ImageReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Records which entry of an index each handler got, across restarts of the agent: the same name
/// refers to different images under different handlers.
public final class HandlerEntries implements ImageHandlers {
  private static final TypeReference<String> DIGEST = new TypeReference<>() {};
  private static final Comparator<HandlerImage> BY_HANDLER =
      Comparator.comparing(HandlerImage::handler).thenComparing(HandlerImage::name);

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

  @Override
  public Map<String, List<HandlerImage>> byDigest(ImageService service) {
    Map<String, List<HandlerImage>> images = new HashMap<>();
    records
        .all()
        .forEach(
            (key, digest) -> {
              EntryKey entry = EntryKey.parse(key);
              if (entry.service().equals(service.key())) {
                images
                    .computeIfAbsent(digest.asText(), _ -> new ArrayList<>())
                    .add(new HandlerImage(fullName(entry.image()), entry.handler()));
              }
            });
    images.values().forEach(list -> list.sort(BY_HANDLER));
    return images;
  }

  private static String fullName(String image) {
    return ImageReference.parse(image).map(ImageReference::toString).orElse(image);
  }

  long moment() {
    return records.moment();
  }

  /// Forgets entries that a service no longer has.
  void retain(String service, Set<String> digests, long moment) {
    Set<String> gone = new HashSet<>();
    records
        .all()
        .forEach(
            (key, digest) -> {
              if (EntryKey.parse(key).service().equals(service)
                  && !digests.contains(digest.asText())) {
                gone.add(key);
              }
            });
    records.retain(key -> !gone.contains(key), moment);
  }

  private static String key(String service, String image, String handler) {
    return new EntryKey(service, image, handler).toString();
  }

  /// The key of a record. The path of a service's socket may have spaces; names of images and
  /// handlers have none.
  private record EntryKey(String service, String image, String handler) {
    static EntryKey parse(String key) {
      int last = key.lastIndexOf(' ');
      int middle = key.lastIndexOf(' ', last - 1);
      return new EntryKey(
          key.substring(0, Math.max(0, middle)),
          key.substring(middle + 1, Math.max(middle + 1, last)),
          key.substring(last + 1));
    }

    @Override
    public String toString() {
      return service + " " + image + " " + handler;
    }
  }
}
