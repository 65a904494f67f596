package dev.berth.agent.images;

import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.PlatformMismatch;

/// How a node gets its images.
///
/// @param parallel how many images each image service pulls at a time
/// @param host what the node runs when no handler says otherwise; on Windows with its version
/// @param resolver asks registries for entries of indexes
/// @param advice says what to do about an image that does not run here
public record PullSettings(
    int parallel, ImagePlatform host, EntryResolver resolver, MismatchAdvice advice) {
  public static final int PARALLEL = 5;

  /// Of a Linux node whose handlers all run what the host runs.
  public static final PullSettings STANDARD =
      new PullSettings(
          PARALLEL,
          new ImagePlatform(ImagePlatform.LINUX, "amd64", "", ""),
          request -> {
            throw new PullException(
                "ErrImagePull",
                "image %s: no registry client to find the entry for %s"
                    .formatted(request.image(), request.target().platform()));
          });

  /// Without knowledge of other nodes.
  public PullSettings(int parallel, ImagePlatform host, EntryResolver resolver) {
    this(parallel, host, resolver, PlatformMismatch::advice);
  }

  public PullSettings withParallel(int other) {
    return new PullSettings(other, host, resolver, advice);
  }

  public PullSettings with(MismatchAdvice other) {
    return new PullSettings(parallel, host, resolver, other);
  }
}
