package dev.berth.registry.platforms;

import dev.berth.api.platforms.WindowsVersion;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Chooses the entry of an image index that a handler gets.
///
/// Make one for a handler and use it for many indexes; it has no state.
public final class PlatformMatcher {
  private static final int NONE = -1;

  /// A feature that every Windows has; images that name it run everywhere.
  public static final String IGNORED_FEATURE = "win32k";

  private static final WindowsVersion UNVERSIONED = new WindowsVersion(0, 0, 0, 0);

  private final TargetPlatform target;
  private final ImagePlatform wanted;
  private final List<String> architectures;

  /// Null when nobody knows it, or on another system.
  private final @Nullable WindowsVersion windows;

  public PlatformMatcher(TargetPlatform target) {
    this.target = target;
    this.wanted = target.platform().normalized();
    this.architectures = ArchitectureOrder.of(wanted);
    this.windows =
        wanted.isWindows() ? WindowsVersion.parse(wanted.osVersion()).orElse(null) : null;
  }

  /// The best entry, by architecture on Linux and by version on Windows; index order breaks ties.
  /// An entry that does not say what it is for comes last, as in containerd: who can, finds out
  /// first. Nested indexes are not looked into, so they are to be replaced by their entries before.
  public static Optional<IndexEntry> choose(ImageIndex index, TargetPlatform target) {
    return new PlatformMatcher(target).choose(index);
  }

  public Optional<IndexEntry> choose(ImageIndex index) {
    return choose(index.manifests(), IndexEntry::platform);
  }

  /// Among any values that have a platform.
  public <T> Optional<T> choose(
      List<T> entries, Function<? super T, @Nullable ImagePlatform> platform) {
    @Nullable T best = null;
    @Nullable T unknown = null;
    int bestRank = NONE;
    WindowsVersion bestVersion = UNVERSIONED;
    for (T entry : entries) {
      ImagePlatform given = platform.apply(entry);
      if (given == null) {
        unknown = unknown == null ? entry : unknown;
        continue;
      }
      int rank = rank(given);
      if (rank == NONE) {
        continue;
      }
      WindowsVersion version = wanted.isWindows() ? version(given) : UNVERSIONED;
      boolean better =
          best == null
              || rank < bestRank
              || (rank == bestRank && version.compareTo(bestVersion) > 0);
      if (better) {
        best = entry;
        bestRank = rank;
        bestVersion = version;
      }
    }
    return Optional.ofNullable(best == null ? unknown : best);
  }

  /// Whether the handler runs what was made for this platform.
  public boolean isRunnable(ImagePlatform platform) {
    return rank(platform) != NONE;
  }

  /// Why nothing in an index fits, in one sentence.
  ///
  /// @param image as its reader knows it
  public PlatformMismatch mismatch(String image, ImageIndex index) {
    return PlatformMismatch.of(image, List.of(target), index);
  }

  /// The place in the order of architectures; `NONE` when the platform does not fit.
  private int rank(ImagePlatform platform) {
    ImagePlatform normal = platform.normalized();
    boolean fits =
        normal.os().equals(wanted.os())
            && hasFeatures(normal.osFeatures())
            && (!wanted.isWindows() || fitsWindows(normal));
    return fits ? architectures.indexOf(ArchitectureOrder.key(normal)) : NONE;
  }

  private boolean hasFeatures(Set<String> needed) {
    for (String feature : needed) {
      if (!feature.equals(IGNORED_FEATURE) && !wanted.osFeatures().contains(feature)) {
        return false;
      }
    }
    return true;
  }

  /// An image without a version fits every host; one with a version that nobody can read fits none
  /// whose version is known.
  private boolean fitsWindows(ImagePlatform platform) {
    if (windows == null || platform.osVersion().isEmpty()) {
      return true;
    }
    Optional<WindowsVersion> version = WindowsVersion.parse(platform.osVersion());
    return version.isPresent() && target.windowsRule().allows(version.get(), windows);
  }

  private static WindowsVersion version(ImagePlatform platform) {
    return WindowsVersion.parse(platform.osVersion()).orElse(UNVERSIONED);
  }
}
