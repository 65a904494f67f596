package dev.berth.sim.images;

import dev.berth.sim.call.CallRefusal;
import dev.berth.sim.images.CatalogImage.Variant;
import dev.berth.sim.profile.ImagePlatform;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.WindowsVersion;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Which entry of an image index a handler gets: the best that fits, index order breaking ties.
public final class IndexChoice {
  private static final int NONE = -1;
  private static final WindowsVersion UNVERSIONED = new WindowsVersion(0, 0, 0, 0);

  private final ImagePlatform host;
  private final ImagePlatform wanted;
  private final WindowsRule windowsRule;

  /// Which builds of Windows an entry may have.
  private enum WindowsRule {
    /// What shares the host's kernel.
    PROCESS_ISOLATION,
    /// What runs in a virtual machine of the host.
    HYPER_V,
    /// containerd 1.6 compares the text: the host's build and no other.
    SAME_BUILD
  }

  public IndexChoice(SimHandler handler, ImagePlatform host) {
    this(
        host,
        handler.platform(host),
        handler.isHypervisor() ? WindowsRule.HYPER_V : WindowsRule.PROCESS_ISOLATION);
  }

  private IndexChoice(ImagePlatform host, ImagePlatform wanted, WindowsRule windowsRule) {
    this.host = host;
    this.wanted = wanted;
    this.windowsRule = windowsRule;
  }

  /// As containerd 1.6 chooses: for the host, whatever the handler is.
  static IndexChoice ofHost(ImagePlatform host) {
    return new IndexChoice(host, host, WindowsRule.SAME_BUILD);
  }

  /// What the entry is to be for.
  ImagePlatform platform() {
    return wanted;
  }

  Optional<Variant> choose(CatalogImage image) {
    // As containerd: a manifest without an index is taken as it is and fails when it is run.
    return image.isIndex()
        ? choose(image.variants(), Variant::platform)
        : image.variants().stream().findFirst();
  }

  /// Among the entries of an index.
  public <T> Optional<T> choose(List<T> entries, Function<T, ImagePlatform> platform) {
    Comparator<ImagePlatform> order =
        wanted.isWindows()
            ? Comparator.comparing(IndexChoice::version, IndexChoice::newerFirst)
            : Comparator.comparingInt(this::rank);
    return entries.stream()
        .filter(entry -> fits(platform.apply(entry)))
        .min(Comparator.comparing(platform, order));
  }

  /// Whether the handler can run what was made for this platform.
  public boolean isRunnable(ImagePlatform platform) {
    return fits(platform);
  }

  /// In containerd's words.
  public static CallRefusal nothingFits() {
    return CallRefusal.notFound("no match for platform in manifest: not found");
  }

  private boolean fits(ImagePlatform platform) {
    if (!wanted.isWindows()) {
      return platform.os().equals(wanted.os()) && rank(platform) != NONE;
    }
    return platform.isWindows()
        && platform.architecture().equals(wanted.architecture())
        && fitsWindows(platform);
  }

  private boolean fitsWindows(ImagePlatform platform) {
    Optional<WindowsVersion> image = WindowsVersion.parse(platform.osVersion());
    Optional<WindowsVersion> guest = WindowsVersion.parse(wanted.osVersion());
    if (image.isEmpty() || guest.isEmpty()) {
      return true;
    }
    boolean guestIsNamed = !wanted.osVersion().equals(host.osVersion());
    return switch (windowsRule) {
      case PROCESS_ISOLATION -> image.get().runsAsProcessOn(guest.get());
      case HYPER_V ->
          guestIsNamed
              ? image.get().sameBuild(guest.get())
              : image.get().runsUnderHyperVOn(guest.get());
      case SAME_BUILD -> image.get().sameBuild(guest.get());
    };
  }

  /// The order of architectures that a Linux host can run, best first.
  private int rank(ImagePlatform platform) {
    List<String> order =
        switch (wanted.architecture()) {
          case "amd64" -> List.of("amd64", "amd64/v1", "386");
          case "arm64" -> List.of("arm64", "arm64/v8", "arm/v8", "arm/v7", "arm/v6", "arm/v5");
          case "arm" -> List.of("arm/v7", "arm", "arm/v6", "arm/v5");
          default -> List.of(wanted.architecture());
        };
    String variant = platform.variant().isEmpty() ? "" : "/" + platform.variant();
    return order.indexOf(platform.architecture() + variant);
  }

  private static WindowsVersion version(ImagePlatform platform) {
    return WindowsVersion.parse(platform.osVersion()).orElse(UNVERSIONED);
  }

  private static int newerFirst(WindowsVersion one, WindowsVersion other) {
    int builds = Integer.compare(other.build(), one.build());
    return builds != 0 ? builds : Integer.compare(other.revision(), one.revision());
  }
}
