package dev.berth.agent.images;

import dev.berth.agent.images.access.PullRecords;
import dev.berth.agent.images.access.VerificationRules;
import dev.berth.agent.images.records.RecordDirectory;
import dev.berth.agent.runtimes.ImageService;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/// What the agent remembers about images over restarts: who may use them, and which entry of an
/// index each handler got. No container can write there.
public record ImageMemory(PullRecords pulls, HandlerEntries entries) {
  public static ImageMemory open(Path directory, VerificationRules rules) {
    return new ImageMemory(
        new PullRecords(
            rules,
            RecordDirectory.open(directory.resolve("pulled")),
            RecordDirectory.open(directory.resolve("pulling"))),
        new HandlerEntries(RecordDirectory.open(directory.resolve("entries"))));
  }

  /// When a listing of images begins.
  record ListingStart(long pulls, long entries) {}

  ListingStart listingStarts() {
    return new ListingStart(pulls.moment(), entries.moment());
  }

  /// Forgets what a service no longer has, so that the memory grows no larger than its images.
  void retain(ImageService service, Collection<StoredImage> present, ListingStart start) {
    Set<String> ids = new HashSet<>();
    Set<String> digests = new HashSet<>();
    for (StoredImage image : present) {
      ids.add(image.id());
      image.names().forEach(name -> digests.add(name.substring(name.indexOf('@') + 1)));
    }
    pulls.retain(service.key(), ids, start.pulls());
    entries.retain(service.key(), digests, start.entries());
  }
}
