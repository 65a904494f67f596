package dev.berth.launch.simulation;

import dev.berth.agent.images.EntryResolver;
import dev.berth.agent.images.ImageRequest;
import dev.berth.agent.images.PullException;
import dev.berth.agent.images.PullSettings;
import dev.berth.registry.ImageReference;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.platforms.PlatformMatcher;
import dev.berth.registry.platforms.PlatformMismatch;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.sim.images.ImageCatalog;
import java.util.Optional;

/// What simulated images have. The agent of a simulated node asks no registry about them: an image
/// of the same name there is another one.
///
/// @param catalog of the node's simulated runtimes, which choose entries themselves
public record CatalogEntries(ImageCatalog catalog) implements EntryResolver {
  /// For a simulated runtime that is as blind to handlers as containerd: the agent names the entry.
  @Override
  public ResolvedEntry resolve(ImageRequest request) throws InterruptedException {
    PlatformMatcher matcher = new PlatformMatcher(request.target().platform());
    Optional<ImageReference> reference = ImageReference.parse(request.image());
    Optional<ImageIndex> index = reference.flatMap(catalog::declaredIndex);
    if (reference.isEmpty() || index.isEmpty()) {
      return PullSettings.STANDARD.resolver().resolve(request);
    }
    String digest =
        matcher
            .choose(index.get())
            .map(IndexEntry::digest)
            .orElseThrow(
                () ->
                    new PullException(
                        matcher.mismatch(reference.get().familiar(), index.get()), null));
    return new ResolvedEntry(digest, null);
  }

  @Override
  public Optional<PlatformMismatch> mismatch(ImageRequest request) {
    TargetPlatform target = request.target().platform();
    PlatformMatcher matcher = new PlatformMatcher(target);
    return ImageReference.parse(request.image())
        .flatMap(
            reference ->
                catalog
                    .index(reference, target.platform())
                    .filter(index -> matcher.choose(index).isEmpty())
                    .map(index -> matcher.mismatch(reference.familiar(), index)));
  }
}
