package dev.berth.sim.images;

import dev.berth.registry.ImageReference;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.WindowsRelease;
import dev.berth.sim.images.CatalogImage.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The entries of an image that nobody declared, where every image exists.
///
/// A Linux host gets one entry, which fits. A Windows host gets what images on public registries
/// have: a tag that names a release of Windows has an entry for that release alone, and images that
/// are published for Linux alone have no entry for Windows. A test that passes here should not fail
/// for its images on a real host.
final class UndeclaredImages {
  private static final long SIZE = 10L * 1024 * 1024;

  /// Repositories of widely used images without an entry for Windows.
  private static final Set<String> LINUX_ONLY =
      Set.of(
          "docker.io/library/alpine",
          "docker.io/library/debian",
          "docker.io/library/nginx",
          "docker.io/library/postgres",
          "docker.io/library/redis",
          "docker.io/library/ubuntu");

  private UndeclaredImages() {}

  /// @param wanted what the handler runs
  static List<Variant> variants(ImageReference reference, ImagePlatform wanted) {
    if (!wanted.isWindows()) {
      return List.of(variant(wanted));
    }
    if (LINUX_ONLY.contains(reference.repository())) {
      return List.of(
          variant(new ImagePlatform(ImagePlatform.LINUX, wanted.architecture(), "", "")));
    }
    Optional<WindowsRelease> named = WindowsRelease.ofTag(reference.tag());
    return named
        .map(release -> List.of(variant(wanted.withOsVersion(release.version()))))
        .orElseGet(() -> everyRelease(wanted));
  }

  private static List<Variant> everyRelease(ImagePlatform wanted) {
    List<Variant> variants = new ArrayList<>();
    variants.add(variant(wanted));
    for (WindowsRelease release : WindowsRelease.KNOWN) {
      if (!wanted.osVersion().startsWith("10.0." + release.build() + ".")) {
        variants.add(variant(wanted.withOsVersion(release.version())));
      }
    }
    return variants;
  }

  private static Variant variant(ImagePlatform platform) {
    return new Variant(platform, SIZE, 1);
  }
}
