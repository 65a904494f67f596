package dev.berth.sim.images;

import dev.berth.api.platforms.WindowsRule;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.platforms.PlatformMatcher;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.sim.images.CatalogImage.Variant;
import dev.berth.sim.profile.SimHandler;
import java.util.Optional;

/// Which entry of an image index a handler gets: the best that fits, index order breaking ties.
public final class IndexChoice {
  private final TargetPlatform target;
  private final PlatformMatcher matcher;

  public IndexChoice(SimHandler handler, ImagePlatform host) {
    this(handler.target(host));
  }

  private IndexChoice(TargetPlatform target) {
    this.target = target;
    this.matcher = new PlatformMatcher(target);
  }

  /// The choice of containerd 1.6: it is for the host, whatever the handler is.
  static IndexChoice ofHost(ImagePlatform host) {
    return new IndexChoice(new TargetPlatform(host, WindowsRule.SAME_BUILD));
  }

  /// What the entry is to be for.
  ImagePlatform platform() {
    return target.platform();
  }

  Optional<Variant> choose(CatalogImage image) {
    // As containerd: a manifest without an index is taken as it is and fails when it is run.
    return image.isIndex()
        ? matcher.choose(image.variants(), Variant::platform)
        : image.variants().stream().findFirst();
  }

  /// Among those of a real one; an entry that does not say what it is for comes last.
  public Optional<IndexEntry> choose(ImageIndex index) {
    return matcher.choose(index);
  }

  /// Whether the handler can run what was made for this platform.
  public boolean isRunnable(ImagePlatform platform) {
    return matcher.isRunnable(platform);
  }

  /// The refusal of a pull whose index has no entry for the handler, with containerd's text.
  public static CallRefusal nothingFits() {
    return CallRefusal.notFound("no match for platform in manifest: not found");
  }
}
