package dev.berth.registry.platforms;

import static dev.berth.registry.platforms.TestPlatforms.entry;
import static dev.berth.registry.platforms.TestPlatforms.index;
import static dev.berth.registry.platforms.TestPlatforms.platform;
import static dev.berth.registry.platforms.TestPlatforms.target;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlatformMatcherTest {
  @ParameterizedTest
  @CsvSource({
    "linux/amd64, a50a9364",
    "linux/amd64/v3, a50a9364",
    "linux/386, b11bad2e",
    "linux/arm/v7, 30526a82",
    "linux/arm, 30526a82",
    "linux/arm64, a05d345b",
    "linux/arm64/v9.2, a05d345b",
    "linux/ppc64le, a7db5fe7",
    "linux/s390x, a0a8410b",
    "linux/arm/v6, none",
    "linux/riscv64, none",
    "windows/amd64 10.0.14393, a6bf1ef2",
    "windows/amd64 10.0.17134.1, 5141a442",
    "windows/amd64 10.0.17763.6775, d22e5bf1",
    "windows/amd64 10.0.18362, none",
    "windows/amd64 10.0.20348, none",
    "windows/amd64 10.0.18362 hyperv, d22e5bf1",
    "windows/amd64 10.0.17763 hyperv, d22e5bf1",
    "windows/amd64 10.0.17700 hyperv, 5141a442",
    "windows/amd64 10.0.10240 hyperv, none",
    "windows/arm64 10.0.17763, none",
  })
  void theIndexOfGolangInTheSeedIsChosenFrom(String handler, String digest) {
    assertThat(
            PlatformMatcher.choose(TestPlatforms.GOLANG, target(handler))
                .map(IndexEntry::digest)
                .orElse("none"))
        .isEqualTo(digest);
  }

  @ParameterizedTest
  @CsvSource({
    "linux/amd64, linux/386;linux/amd64, linux/amd64",
    "linux/amd64, linux/386;linux/arm64, linux/386",
    "linux/amd64, linux/amd64/v2;linux/amd64/v1, linux/amd64/v1",
    "linux/amd64, linux/amd64/v2, none",
    "linux/amd64/v3, linux/amd64;linux/amd64/v4;linux/amd64/v2, linux/amd64/v2",
    "linux/amd64/v3, linux/x86_64/v3;linux/amd64, linux/x86_64/v3",
    "linux/arm64, linux/arm/v7;linux/arm64/v8, linux/arm64/v8",
    "linux/arm64, linux/arm/v7;linux/arm/v8;linux/arm/v6, linux/arm/v8",
    "linux/arm64, linux/arm64/v8.1;linux/arm/v5, linux/arm/v5",
    "linux/arm64/v8.2, linux/aarch64;linux/arm64/v8.1;linux/arm64/v8.3, linux/arm64/v8.1",
    "linux/arm64/v9, linux/arm64/v8.6;linux/arm64/v8.5;linux/arm64, linux/arm64/v8.5",
    "linux/arm64/v9.1, linux/arm64/v8.6;linux/arm64/v9, linux/arm64/v9",
    "linux/arm/v7, linux/arm/v5;linux/arm/v6;linux/arm/v8, linux/arm/v6",
    "linux/arm/v6, linux/arm;linux/armel, linux/armel",
    "linux/armhf, linux/arm/v6;linux/arm/7, linux/arm/7",
    "linux/mips, linux/mips64;linux/mips, linux/mips",
  })
  void aLinuxHostTakesTheClosestArchitecture(String handler, String entries, String expected) {
    assertChoice(handler, entries, expected);
  }

  @ParameterizedTest
  @CsvSource({
    // A host before Server 2022 runs its own build.
    "windows/amd64 10.0.17763.1, windows/amd64 10.0.17763.805;windows/amd64 10.0.17763.1069,"
        + " windows/amd64 10.0.17763.1069",
    "windows/amd64 10.0.18363, windows/amd64 10.0.18362.1;windows/amd64 10.0.19041.1, none",
    // From then on also older ones.
    "windows/amd64 10.0.20348, windows/amd64 10.0.20347.1;windows/amd64 10.0.20349.1, none",
    "windows/amd64 10.0.25398, windows/amd64 10.0.20348.9;windows/amd64 10.0.17763.9,"
        + " windows/amd64 10.0.20348.9",
    "windows/amd64 10.0.25398, windows/amd64 10.0.20348.9999;windows/amd64 10.0.25398.1,"
        + " windows/amd64 10.0.25398.1",
    "windows/amd64 10.0.26100, windows/amd64 10.0.20348.1;windows/amd64 10.0.26100.1,"
        + " windows/amd64 10.0.26100.1",
    "windows/amd64 10.0.26100, windows/amd64 10.0.20348.1, windows/amd64 10.0.20348.1",
    "windows/amd64 10.0.26101, windows/amd64 10.0.26099.1, none",
    "windows/amd64 10.0.26101, windows/amd64 10.0.26100.1, windows/amd64 10.0.26100.1",
    "windows/amd64 10.1.20348, windows/amd64 10.0.20348.1, none",
    // Under Hyper-V everything older, and the newest of it.
    "windows/amd64 10.0.20348 hyperv, windows/amd64 10.0.17763.1;windows/amd64 10.0.26100.1,"
        + " windows/amd64 10.0.17763.1",
    "windows/amd64 10.0.20348 hyperv,"
        + " windows/amd64 10.0.18362.805;windows/amd64 10.0.17763.1;windows/amd64 10.0.18362.1069,"
        + " windows/amd64 10.0.18362.1069",
    "windows/amd64 10.0.20348 hyperv, windows/amd64 6.3.9600.1, none",
    // An entry without a version fits, but comes after those that have one.
    "windows/amd64 10.0.17763, windows/amd64;windows/amd64 10.0.17763, windows/amd64 10.0.17763",
    "windows/amd64 10.0.17763, windows/amd64;windows/amd64 10.0.18362, windows/amd64",
    "windows/amd64 10.0.17763, windows/amd64 17763, none",
    // A host whose version nobody knows takes the newest.
    "windows/amd64, windows/amd64 10.0.17763.1;windows/amd64 10.0.20348.1,"
        + " windows/amd64 10.0.20348.1",
    "windows/amd64 10.0.17763, linux/amd64;windows/386 10.0.17763;windows/arm64 10.0.17763, none",
  })
  void aWindowsHostTakesTheNewestBuildThatItRuns(String handler, String entries, String expected) {
    assertChoice(handler, entries, expected);
  }

  @ParameterizedTest
  @CsvSource({
    "linux/amd64, -;linux/amd64, linux/amd64",
    "linux/amd64, linux/arm64;-, -",
    "windows/amd64 10.0.17763, windows/amd64 10.0.18362;-, -",
  })
  void anEntryWithoutPlatformComesLast(String handler, String entries, String expected) {
    assertChoice(handler, entries, expected);
  }

  @Test
  void indexOrderBreaksTies() {
    ImageIndex index =
        new ImageIndex(List.of(entry("first", "linux/amd64"), entry("second", "linux/amd64/v1")));

    assertThat(PlatformMatcher.choose(index, target("linux/amd64")).orElseThrow().digest())
        .isEqualTo("first");
  }

  @Test
  void attestationsAndNestedIndexesAreNoCandidates() {
    IndexEntry provenance =
        new IndexEntry(
            "provenance",
            MediaTypes.OCI_MANIFEST,
            10,
            new ImagePlatform("unknown", "unknown", "", ""),
            Map.of());
    IndexEntry annotated =
        new IndexEntry(
            "annotated",
            MediaTypes.OCI_MANIFEST,
            10,
            platform("linux/amd64"),
            Map.of("vnd.docker.reference.type", "attestation-manifest"));
    IndexEntry nested =
        new IndexEntry("nested", MediaTypes.DOCKER_LIST, 10, platform("linux/amd64"), Map.of());
    ImageIndex index =
        new ImageIndex(List.of(provenance, annotated, nested, entry("image", "linux/386")));

    assertThat(index.manifests()).extracting(IndexEntry::digest).containsExactly("image");
    assertThat(PlatformMatcher.choose(index, target("linux/amd64")).orElseThrow().digest())
        .isEqualTo("image");
  }

  @Test
  void anEntryOfANestedIndexIsForThePlatformOfThatIndex() {
    IndexEntry nested =
        new IndexEntry("nested", MediaTypes.OCI_INDEX, 10, platform("linux/arm64"), Map.of());

    assertThat(entry("inner", "-").within(nested).platform()).isEqualTo(platform("linux/arm64"));
    assertThat(entry("inner", "linux/386").within(nested).platform())
        .isEqualTo(platform("linux/386"));
  }

  @Test
  void featuresOfTheSystemAreNeededExceptWin32k() {
    ImagePlatform host = platform("windows/amd64 10.0.20348");
    PlatformMatcher plain = new PlatformMatcher(TargetPlatform.of(host));
    PlatformMatcher able =
        new PlatformMatcher(TargetPlatform.of(withFeatures(host, "win32k", "erofs")));

    assertThat(plain.isRunnable(withFeatures(host, "win32k"))).isTrue();
    assertThat(plain.isRunnable(withFeatures(host, "win32k", "erofs"))).isFalse();
    assertThat(able.isRunnable(withFeatures(host, "erofs"))).isTrue();
    assertThat(able.isRunnable(host)).isTrue();
  }

  private static ImagePlatform withFeatures(ImagePlatform platform, String... features) {
    return new ImagePlatform(
        platform.os(),
        platform.architecture(),
        platform.variant(),
        platform.osVersion(),
        Set.of(features));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "windows/amd64 10.0.17763.1 | windows/amd64 10.0.17763",
        "windows/amd64 10.0.18362 hyperv | windows/amd64 10.0.18362 or older under Hyper-V",
        "windows/amd64 10.0.26100.1 | windows/amd64 10.0.26100 down to 10.0.20348",
        "windows/amd64 10.0.20348 | windows/amd64 10.0.20348",
        "linux/arm/v7 | linux/arm/v7",
      })
  void aMismatchNamesWhatIsWantedAndWhatThereIs(String handler, String wanted) {
    PlatformMismatch mismatch =
        new PlatformMatcher(target(handler)).mismatch("golang:1", TestPlatforms.GOLANG);

    assertThat(mismatch.message())
        .isEqualTo(
            "image golang:1 has no entry for %s; it has linux/amd64, linux/arm/v7, linux/arm64/v8, "
                    .formatted(wanted)
                + "linux/386, linux/ppc64le, linux/s390x, windows/amd64 10.0.14393.3274, "
                + "windows/amd64 10.0.17134.1069, windows/amd64 10.0.17763.805");
  }

  @Test
  void aMismatchCutsLongListsAndSaysWhenThereIsNothing() {
    String many = "linux/a;linux/b;linux/c;linux/d;linux/e;linux/f;linux/g;linux/h;linux/i";
    PlatformMatcher matcher = new PlatformMatcher(target("linux/amd64"));

    assertThat(matcher.mismatch("x", index(many + ";linux/j;linux/k;linux/l;linux/m;-")).why())
        .endsWith("linux/k, linux/l and 2 more");
    assertThat(matcher.mismatch("x", index("-")).why()).isEqualTo("it has an unknown one");
    assertThat(matcher.mismatch("x", new ImageIndex(List.of())).message())
        .isEqualTo("image x has no entry for linux/amd64; it has none at all");
  }

  private static void assertChoice(String handler, String entries, String expected) {
    assertThat(
            PlatformMatcher.choose(index(entries), target(handler))
                .map(IndexEntry::digest)
                .orElse("none"))
        .isEqualTo(expected);
  }
}
