package dev.berth.vm.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.registry.RegistryClient;
import dev.berth.registry.RegistrySettings;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that loads images and is killed at any moment loses none that it reported, and leaves
/// nothing that belongs to no image.
final class KilledStoreIT {
  private static final int ROUNDS = 4;
  private static final int IMAGES = 40;

  @TempDir Path directory;

  /// The process: loads the archives of a directory and prints the id of each image.
  public static final class LoadingProcess {
    private LoadingProcess() {}

    public static void main(String[] arguments) {
      try (RegistryClient client = new RegistryClient(RegistrySettings.USUAL)) {
        VmImages images = open(Path.of(arguments[0]), client);
        for (int i = 0; i < IMAGES; i++) {
          Path archive = Path.of(arguments[1]).resolve(i + ".tar");
          images.load(archive).forEach(image -> System.out.println(image.id()));
        }
      }
    }
  }

  private static VmImages open(Path store, RegistryClient client) {
    return VmImageStores.open(
        store,
        client,
        TargetPlatform.of(ImagePlatform.parse("linux/amd64").orElseThrow()),
        Set.of(),
        Clock.systemUTC());
  }

  @Test
  void whatWasReportedStaysAndNothingElse() throws IOException {
    Path archives = Files.createDirectory(directory.resolve("archives"));
    Random random = new Random(7);
    for (int i = 0; i < IMAGES; i++) {
      Files.write(archives.resolve(i + ".tar"), archive(i, random));
    }
    for (int round = 0; round < ROUNDS; round++) {
      Path store = directory.resolve("store" + round);
      // Between two reports, and soon after the first one, which ends the start of the JVM.
      List<String> reported = killedAfter(store, archives, 1 + random.nextInt(IMAGES / 2), random);
      check(store, reported);
    }
  }

  private static byte[] archive(int number, Random random) {
    byte[] content = new byte[300_000];
    random.nextBytes(content);
    byte[] shared = new TarBuilder().file("shared", "x").build();
    byte[] layer = new TarBuilder().file("file" + number, content).build();
    TestImage image = TestImage.of(shared, layer);
    return new TarBuilder()
        .file("0.tar", shared)
        .file("1.tar", layer)
        .file("config.json", image.config())
        .file(
            "manifest.json",
            "[{\"Config\":\"config.json\",\"RepoTags\":[\"i:%d\"],\"Layers\":[\"0.tar\",\"1.tar\"]}]"
                .formatted(number))
        .build();
  }

  private static List<String> killedAfter(Path store, Path archives, int count, Random random)
      throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                LoadingProcess.class.getName(),
                store.toString(),
                archives.toString())
            .redirectErrorStream(true)
            .start();
    List<String> reported = new ArrayList<>();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      while (reported.size() < count) {
        reported.add(String.valueOf(lines.readLine()));
      }
      // A step takes about a millisecond, so that this hits another one each time.
      long end = System.nanoTime() + random.nextInt(5_000_000);
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      // By its handle, because the process itself would close what it printed last.
      process.toHandle().destroyForcibly();
      lines.lines().forEach(reported::add);
    } finally {
      process.destroyForcibly();
    }
    return reported;
  }

  private void check(Path store, List<String> reported) throws IOException {
    try (RegistryClient client = new RegistryClient(RegistrySettings.USUAL)) {
      VmImages images = open(store, client);
      List<String> present = images.list().stream().map(StoredImage::id).toList();
      assertThat(reported).isNotEmpty().allMatch(line -> line.startsWith("sha256:"));
      assertThat(present).containsAll(reported);
      Set<Path> used = new HashSet<>();
      for (String id : present) {
        List<Path> extents = images.extents(id);
        used.addAll(extents);
        assertThat(TestStack.run("fsck.erofs", disk(extents))).isEmpty();
      }
      try (Stream<Path> files = Files.walk(store)) {
        assertThat(files.filter(Files::isRegularFile))
            .filteredOn(file -> !file.endsWith("index") && !file.endsWith("catalog.json"))
            .containsExactlyInAnyOrderElementsOf(used);
      }
    }
  }

  private String disk(List<Path> extents) throws IOException {
    Path disk = directory.resolve("disk");
    try (OutputStream out = Files.newOutputStream(disk)) {
      for (Path extent : extents) {
        Files.copy(extent, out);
      }
    }
    return disk.toString();
  }
}
