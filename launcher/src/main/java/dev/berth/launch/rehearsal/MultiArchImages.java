package dev.berth.launch.rehearsal;

import dev.berth.registry.ImageReference;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.sim.images.CatalogImage;
import dev.berth.sim.images.CatalogImage.Variant;
import dev.berth.sim.images.ImageCatalog;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The multi-arch image that KEP-1301 shows, and one with entries for newer releases of Windows as
/// well.
public final class MultiArchImages {
  public static final String AS_DESIGNED = "golang:1.13";
  public static final String NEWER = "golang:latest";

  private static final List<Variant> ENTRIES =
      List.of(
          entry("linux/amd64", ""),
          entry("linux/arm/v7", ""),
          entry("linux/arm64/v8", ""),
          entry("linux/386", ""),
          entry("linux/ppc64le", ""),
          entry("linux/s390x", ""),
          entry("windows/amd64", "10.0.14393.3274"),
          entry("windows/amd64", "10.0.17134.1069"),
          entry("windows/amd64", "10.0.17763.805"));

  private static final CatalogImage OF_NEWER =
      image(
          NEWER,
          Stream.concat(
                  ENTRIES.stream(),
                  Stream.of(
                      entry("windows/amd64", "10.0.18362.418"),
                      entry("windows/amd64", "10.0.20348.2966")))
              .toList());

  public static final ImageCatalog CATALOGUE =
      new ImageCatalog(List.of(image(AS_DESIGNED, ENTRIES), OF_NEWER), true, List.of());

  private MultiArchImages() {}

  /// The id by which a runtime knows an entry of the newer image.
  public static String id(String platform, String version) {
    return OF_NEWER.id(entry(platform, version));
  }

  private static CatalogImage image(String name, List<Variant> variants) {
    return new CatalogImage(
        ImageReference.parse(name).orElseThrow(),
        true,
        variants,
        List.of("serve"),
        Optional.empty(),
        Optional.empty(),
        "",
        false);
  }

  private static Variant entry(String platform, String version) {
    return new Variant(
        ImagePlatform.parse(platform).orElseThrow().withOsVersion(version), 1 << 20, 1);
  }
}
