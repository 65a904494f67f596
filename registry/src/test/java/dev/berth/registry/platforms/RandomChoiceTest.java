package dev.berth.registry.platforms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.platforms.WindowsRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Random indexes and handlers: the matcher agrees with rules that are written a second time, from
/// the tables of Microsoft and of containerd, without any code in common.
final class RandomChoiceTest {
  private static final int PAIRS = 10_000;
  private static final long SEED = 1301;

  private static final List<String> SYSTEMS = List.of("linux", "linux", "windows", "Windows");
  private static final List<String> ARCHITECTURES =
      List.of("amd64", "x86_64", "386", "i386", "arm64", "aarch64", "arm", "armhf", "s390x");
  private static final List<String> VARIANTS =
      List.of("", "", "v1", "v2", "v3", "v5", "v6", "v7", "v8", "V8", "v8.1", "v9", "v9.1");
  private static final List<String> BUILDS =
      List.of(
          "14393", "17134", "17763", "18362", "19041", "20347", "20348", "20349", "22621", "25398",
          "26099", "26100", "26101", "27000");

  /// What a processor runs, best first, spelled as the images spell it after normalization.
  private static final Map<String, List<String>> RUNS =
      Map.ofEntries(
          Map.entry("amd64", List.of("amd64", "386")),
          Map.entry("amd64 v2", List.of("amd64 v2", "amd64", "386")),
          Map.entry("amd64 v3", List.of("amd64 v3", "amd64 v2", "amd64", "386")),
          Map.entry("386", List.of("386")),
          Map.entry("arm v5", List.of("arm v5")),
          Map.entry("arm v6", List.of("arm v6", "arm v5")),
          Map.entry("arm v7", List.of("arm v7", "arm v6", "arm v5")),
          Map.entry("arm v8", List.of("arm v8", "arm v7", "arm v6", "arm v5")),
          Map.entry("arm64", List.of("arm64", "arm v8", "arm v7", "arm v6", "arm v5")),
          Map.entry(
              "arm64 v8.1", List.of("arm64 v8.1", "arm64", "arm v8", "arm v7", "arm v6", "arm v5")),
          Map.entry(
              "arm64 v9",
              List.of(
                  "arm64 v9",
                  "arm64 v8.5",
                  "arm64 v8.4",
                  "arm64 v8.3",
                  "arm64 v8.2",
                  "arm64 v8.1",
                  "arm64",
                  "arm v8",
                  "arm v7",
                  "arm v6",
                  "arm v5")),
          Map.entry(
              "arm64 v9.1",
              List.of(
                  "arm64 v9.1",
                  "arm64 v9",
                  "arm64 v8.6",
                  "arm64 v8.5",
                  "arm64 v8.4",
                  "arm64 v8.3",
                  "arm64 v8.2",
                  "arm64 v8.1",
                  "arm64",
                  "arm v8",
                  "arm v7",
                  "arm v6",
                  "arm v5")),
          Map.entry("s390x", List.of("s390x")));

  private final Random random = new Random(SEED);

  @Test
  void tenThousandPairsAgreeWithAnIndependentRule() {
    int chosen = 0;
    for (int i = 0; i < PAIRS; i++) {
      ImageIndex index = randomIndex();
      TargetPlatform target = randomTarget();

      Optional<String> expected = expected(index, target);

      assertThat(PlatformMatcher.choose(index, target).map(IndexEntry::digest))
          .as("pair %d: %s for %s", i, target, index)
          .isEqualTo(expected);
      chosen += expected.isPresent() ? 1 : 0;
    }
    // A random pair must not mostly be one that fits nothing.
    assertThat(chosen).isBetween(PAIRS / 4, PAIRS);
  }

  private TargetPlatform randomTarget() {
    boolean windows = random.nextInt(2) == 0;
    List<String> processors = List.copyOf(RUNS.keySet().stream().sorted().toList());
    String[] processor = (windows ? "amd64" : pick(processors)).split(" ", -1);
    String version = windows && random.nextInt(20) > 0 ? version() : "";
    Set<String> features = random.nextInt(4) == 0 ? Set.of("hypervisor") : Set.of();
    return new TargetPlatform(
        new ImagePlatform(
            windows ? "windows" : "linux",
            processor[0],
            processor.length > 1 ? processor[1] : "",
            version,
            features),
        pick(List.of(WindowsRule.values())));
  }

  private ImageIndex randomIndex() {
    List<IndexEntry> entries = new ArrayList<>();
    int size = random.nextInt(20);
    for (int i = 0; i < size; i++) {
      entries.add(randomEntry("sha256:" + i));
    }
    return new ImageIndex(entries);
  }

  private IndexEntry randomEntry(String digest) {
    boolean attestation = random.nextInt(10) == 0;
    String type = random.nextInt(15) == 0 ? MediaTypes.OCI_INDEX : MediaTypes.DOCKER_MANIFEST;
    return new IndexEntry(
        digest,
        random.nextInt(5) == 0 ? "" : type,
        0,
        random.nextInt(25) == 0 ? null : randomPlatform(),
        attestation ? Map.of("vnd.docker.reference.type", "attestation-manifest") : Map.of());
  }

  private ImagePlatform randomPlatform() {
    String system = pick(SYSTEMS);
    boolean windows = system.equalsIgnoreCase("windows");
    return new ImagePlatform(
        system,
        windows && random.nextInt(4) > 0 ? "amd64" : pick(ARCHITECTURES),
        windows && random.nextInt(4) > 0 ? "" : pick(VARIANTS),
        windows && random.nextInt(10) > 0 ? version() : "",
        random.nextInt(6) == 0 ? Set.of(pick(List.of("win32k", "hypervisor", "other"))) : Set.of());
  }

  private String version() {
    String build = (random.nextInt(12) == 0 ? "10.1." : "10.0.") + pick(BUILDS);
    return switch (random.nextInt(8)) {
      case 0 -> build;
      case 1 -> "release-" + build;
      default -> build + "." + pick(List.of("1", "9", "805", "1069", "3274"));
    };
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  // The independent rule: every pair of entries is compared, nothing is computed beforehand.

  private static Optional<String> expected(ImageIndex index, TargetPlatform target) {
    List<IndexEntry> candidates = new ArrayList<>();
    for (IndexEntry entry : index.entries()) {
      boolean image =
          !entry.annotations().containsKey("vnd.docker.reference.type")
              && !entry.mediaType().contains("index");
      if (image && entry.platform() != null && fits(entry.platform(), target)) {
        candidates.add(entry);
      }
    }
    for (IndexEntry candidate : candidates) {
      boolean beaten = false;
      for (IndexEntry rival : candidates) {
        beaten |= beats(rival, candidate, target, index);
      }
      if (!beaten) {
        return Optional.of(candidate.digest());
      }
    }
    return index.entries().stream()
        .filter(entry -> entry.platform() == null)
        .filter(entry -> entry.annotations().isEmpty() && !entry.mediaType().contains("index"))
        .map(IndexEntry::digest)
        .findFirst();
  }

  private static boolean fits(ImagePlatform image, TargetPlatform target) {
    ImagePlatform wanted = target.platform();
    if (!image.os().equalsIgnoreCase(wanted.os())) {
      return false;
    }
    for (String feature : image.osFeatures()) {
      if (!feature.equals("win32k") && !wanted.osFeatures().contains(feature)) {
        return false;
      }
    }
    if (!wanted.os().equals("windows")) {
      return processors(wanted).contains(processor(image));
    }
    return processor(image).equals("amd64")
        && (image.osVersion().isEmpty()
            || !isVersion(wanted.osVersion())
            || (isVersion(image.osVersion())
                && windowsFits(numbers(image), numbers(wanted), target.windowsRule())));
  }

  private static boolean windowsFits(List<Integer> image, List<Integer> host, WindowsRule rule) {
    if (!image.subList(0, 2).equals(host.subList(0, 2))) {
      return false;
    }
    int build = image.get(2);
    int hostBuild = host.get(2);
    if (rule == WindowsRule.HYPER_V) {
      return build <= hostBuild;
    }
    if (rule == WindowsRule.SAME_BUILD || hostBuild < 20348) {
      return build == hostBuild;
    }
    int oldest = 20348;
    for (int release : List.of(20348, 26100)) {
      if (release < hostBuild) {
        oldest = release;
      }
    }
    return oldest <= build && build <= hostBuild;
  }

  private static boolean beats(
      IndexEntry one, IndexEntry other, TargetPlatform target, ImageIndex index) {
    ImagePlatform mine = platform(one);
    ImagePlatform theirs = platform(other);
    if (!target.platform().os().equals("windows")) {
      List<String> order = processors(target.platform());
      int difference = order.indexOf(processor(mine)) - order.indexOf(processor(theirs));
      return difference < 0 || (difference == 0 && isBefore(one, other, index));
    }
    List<Integer> a = isVersion(mine.osVersion()) ? numbers(mine) : List.of(0, 0, 0, 0);
    List<Integer> b = isVersion(theirs.osVersion()) ? numbers(theirs) : List.of(0, 0, 0, 0);
    for (int i = 0; i < 4; i++) {
      if (!a.get(i).equals(b.get(i))) {
        return a.get(i) > b.get(i);
      }
    }
    return isBefore(one, other, index);
  }

  private static boolean isBefore(IndexEntry one, IndexEntry other, ImageIndex index) {
    return index.entries().indexOf(one) < index.entries().indexOf(other);
  }

  private static ImagePlatform platform(IndexEntry entry) {
    @Nullable ImagePlatform platform = entry.platform();
    assertThat(platform).isNotNull();
    return entry.platformIfKnown().orElseThrow();
  }

  private static List<String> processors(ImagePlatform wanted) {
    return RUNS.getOrDefault(processor(wanted), List.of());
  }

  private static String processor(ImagePlatform platform) {
    String variant = platform.variant().toLowerCase(java.util.Locale.ROOT);
    return switch (platform.architecture()) {
      case "amd64", "x86_64" ->
          variant.isEmpty() || variant.equals("v1") ? "amd64" : "amd64 " + variant;
      case "386", "i386" -> "386";
      case "arm64", "aarch64" ->
          variant.isEmpty() || variant.equals("v8") ? "arm64" : "arm64 " + variant;
      case "armhf" -> "arm v7";
      case "arm" -> "arm " + (variant.isEmpty() ? "v7" : variant);
      case String other -> variant.isEmpty() ? other : other + " " + variant;
    };
  }

  private static boolean isVersion(String text) {
    return text.matches("\\d+\\.\\d+\\.\\d+(\\.\\d+)?");
  }

  private static List<Integer> numbers(ImagePlatform platform) {
    List<Integer> numbers = new ArrayList<>();
    for (String part : (platform.osVersion() + ".0").split("\\.", -1)) {
      numbers.add(Integer.valueOf(part));
    }
    return numbers.subList(0, 4);
  }
}
