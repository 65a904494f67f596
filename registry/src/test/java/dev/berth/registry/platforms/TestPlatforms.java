package dev.berth.registry.platforms;

import dev.berth.api.platforms.WindowsRule;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Platforms and indexes from short texts.
final class TestPlatforms {
  /// The index of golang:latest that KEP-1301 prints ("Multi-arch container image overview").
  static final ImageIndex GOLANG =
      new ImageIndex(
          List.of(
              entry("a50a9364", "linux/amd64"),
              entry("30526a82", "linux/arm/v7"),
              entry("a05d345b", "linux/arm64/v8"),
              entry("b11bad2e", "linux/386"),
              entry("a7db5fe7", "linux/ppc64le"),
              entry("a0a8410b", "linux/s390x"),
              entry("a6bf1ef2", "windows/amd64 10.0.14393.3274"),
              entry("5141a442", "windows/amd64 10.0.17134.1069"),
              entry("d22e5bf1", "windows/amd64 10.0.17763.805")));

  private TestPlatforms() {}

  static ImagePlatform platform(String text) {
    return ImagePlatform.parseWithVersion(text).orElseThrow();
  }

  /// `linux/arm64`, `windows/amd64 10.0.17763`, or with `hyperv` at the end.
  static TargetPlatform target(String text) {
    return text.endsWith(" hyperv")
        ? new TargetPlatform(platform(text.replace(" hyperv", "")), WindowsRule.HYPER_V)
        : TargetPlatform.of(platform(text));
  }

  /// Entries whose digests are their texts; `-` is one that does not say what it is for.
  static ImageIndex index(String platforms) {
    return new ImageIndex(
        Stream.of(platforms.split(";", -1)).map(text -> entry(text, text)).toList());
  }

  static IndexEntry entry(String digest, String platform) {
    return new IndexEntry(
        digest,
        MediaTypes.OCI_MANIFEST,
        1000,
        platform.equals("-") ? null : platform(platform),
        Map.of());
  }
}
