package dev.berth.vm.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.registry.ImageReference;
import dev.berth.registry.ImageRequest;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.RegistrySettings;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.registry.transport.ContentDigest;
import dev.berth.vm.images.ImageException.ImageFailure;
import dev.berth.vm.images.StoredImage.ImageDefaults;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pulls from a real registry.
final class ImagePullIT {
  private static final TargetPlatform GUESTS =
      TargetPlatform.of(ImagePlatform.parse("linux/amd64").orElseThrow());

  private final byte[] base = new TarBuilder().file("etc/os", "base").file("gone", "x").build();
  private final byte[] top = new TarBuilder().file(".wh.gone", "").file("etc/app", "top").build();

  @TempDir Path directory;
  private LocalRegistry registry;
  private RegistryClient client;
  private VmImages images;

  @BeforeEach
  void start() throws IOException {
    Assumptions.assumeTrue(LocalRegistry.isInstalled(), "docker-registry is not installed");
    registry = LocalRegistry.start(Files.createDirectory(directory.resolve("registry")));
    client = new RegistryClient(RegistrySettings.USUAL);
    images = open();
  }

  private VmImages open() {
    return VmImageStores.open(
        directory.resolve("store"),
        client,
        GUESTS,
        Set.of(registry.host() + "/pause:1"),
        Clock.systemUTC());
  }

  @AfterEach
  void stop() {
    if (registry != null) {
      registry.close();
      client.close();
    }
  }

  @Test
  void aPulledImageIsThereWithItsNamesAndItsDisk() throws Exception {
    TestImage image = TestImage.of(base, top);
    String manifest = registry.push("web", "1", image);

    StoredImage stored = images.pull(request("web:1"));

    assertThat(stored.id()).isEqualTo(image.id());
    assertThat(stored.tags()).containsExactly(registry.host() + "/web:1");
    assertThat(stored.digests()).containsExactly(registry.host() + "/web@" + manifest);
    assertThat(stored.size())
        .isEqualTo(
            image.manifest().length()
                + image.blobs().stream().mapToLong(blob -> blob.length).sum());
    assertThat(stored.defaults())
        .isEqualTo(
            new ImageDefaults(
                List.of("/bin/sh"),
                List.of("-c", "date"),
                List.of("A=b"),
                "/srv",
                "7:8",
                "SIGQUIT",
                List.of("/data")));
    assertThat(stored.pinned()).isFalse();
    for (String name :
        List.of(
            registry.host() + "/web:1",
            registry.host() + "/web@" + manifest,
            registry.host() + "/web:9@" + manifest,
            image.id(),
            image.id().substring(7),
            image.id().substring(7, 15))) {
      assertThat(images.find(name)).as(name).contains(stored);
    }
    assertThat(files(images.extents(stored.id()))).containsExactly("/etc/app", "/etc/os");
    assertThat(open().list()).containsExactly(stored);
  }

  /// What `fsck.erofs` extracts from the disk of an image.
  private List<String> files(List<Path> extents) throws IOException {
    Path disk = directory.resolve("disk");
    try (OutputStream out = Files.newOutputStream(disk)) {
      for (Path extent : extents) {
        assertThat(Files.size(extent) % 4096).isZero();
        Files.copy(extent, out);
      }
    }
    Path tree = directory.resolve("tree" + System.nanoTime());
    TestStack.run("fsck.erofs", "--extract=" + tree, disk.toString());
    try (Stream<Path> found = Files.walk(tree)) {
      return found
          .filter(Files::isRegularFile)
          .map(file -> file.toString().substring(tree.toString().length()))
          .sorted()
          .toList();
    }
  }

  @Test
  void imagesShareLayersAndLayersGoWithTheLastImage() throws Exception {
    registry.push("web", "1", TestImage.of(base, top));
    registry.push("web", "2", TestImage.of(base));
    StoredImage both = images.pull(request("web:1"));
    StoredImage one = images.pull(request("web:2"));
    assertThat(images.extents(both.id())).contains(images.extents(one.id()).get(1));

    images.remove(one.tags().getFirst());

    assertThat(images.list()).containsExactly(both);
    assertThat(images.extents(both.id())).allMatch(Files::exists);
    images.remove(both.id());
    assertThat(images.list()).isEmpty();
    assertThat(directory.resolve("store/layers")).isEmptyDirectory();
    assertThat(directory.resolve("store/metadata")).isEmptyDirectory();
    assertThat(directory.resolve("store/work")).isEmptyDirectory();
    images.remove(both.id());
  }

  @Test
  void aTagMovesToTheImageThatItMeansNow() throws Exception {
    registry.push("web", "1", TestImage.of(base));
    StoredImage before = images.pull(request("web:1"));
    registry.push("web", "1", TestImage.of(top));

    StoredImage after = images.pull(request("web:1"));

    assertThat(images.find(registry.host() + "/web:1")).contains(after);
    assertThat(images.find(before.id()).orElseThrow().tags()).isEmpty();
    assertThat(images.find(before.digests().getFirst())).isPresent();
  }

  @Test
  void anIndexGivesTheEntryForTheGuestOrASentence() throws Exception {
    TestImage fitting = TestImage.of(base);
    TestImage other = TestImage.of("linux", "arm64", List.of(top));
    registry.push("web", "amd", fitting);
    registry.push("web", "arm", other);
    String entry =
        "{\"digest\":\"%s\",\"size\":%d,\"mediaType\":\"%s\",\"platform\":{\"os\":\"linux\",\"architecture\":\"%s\"}}";
    String arm =
        entry.formatted(
            digest(other.manifest()), other.manifest().length(), TestImage.MANIFEST, "arm64");
    String amd =
        entry.formatted(
            digest(fitting.manifest()), fitting.manifest().length(), TestImage.MANIFEST, "amd64");
    String type = "application/vnd.oci.image.index.v1+json";
    String json = "{\"schemaVersion\":2,\"mediaType\":\"" + type + "\",\"manifests\":[%s]}";
    String index = registry.putManifest("web", "both", type, json.formatted(arm + "," + amd));
    registry.putManifest("web", "none", type, json.formatted(arm));

    StoredImage stored = images.pull(request("web:both"));

    assertThat(stored.id()).isEqualTo(fitting.id());
    assertThat(stored.digests()).containsExactly(registry.host() + "/web@" + index);
    assertThat(failure("web:none").kind()).isEqualTo(ImageFailure.INVALID);
    assertThat(failure("web:none"))
        .hasMessage(
            "image %s/web:none has no entry for linux/amd64: it has linux/arm64. Use an image for this platform, or a node or RuntimeClass that runs one of these"
                .formatted(registry.host()));
    assertThat(failure("web:arm")).hasMessageContaining("it has linux/arm64");
  }

  private static String digest(String text) {
    return ContentDigest.of(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aDamagedLayerIsNamedAndNothingStays() throws Exception {
    TestImage image = TestImage.of(base, top);
    registry.push("web", "1", image);
    byte[] blob = image.layers().get(1);
    byte[] damaged = blob.clone();
    damaged[20] ^= 1;
    registry.damage(blob, damaged);
    String layer = ContentDigest.of(blob);

    ImageException failure = failure("web:1");

    assertThat(failure.kind()).isEqualTo(ImageFailure.INVALID);
    assertThat(failure.getMessage())
        .contains("/web:1", layer, ContentDigest.of(damaged) + " instead of");
    assertThat(images.list()).isEmpty();
    assertThat(directory.resolve("store/work")).isEmptyDirectory();
    registry.damage(blob, blob);
    assertThat(images.pull(request("web:1")).id()).isEqualTo(image.id());
  }

  @Test
  void aLayerThatIsNotWhatTheConfigurationNamesIsRefused() throws Exception {
    TestImage wrong =
        new TestImage(
            TestImage.config("linux", "amd64", List.of(base)), List.of(TarBuilder.gzip(top)));
    registry.push("web", "1", wrong);
    byte[] cut = Arrays.copyOf(TarBuilder.gzip(base), 60);
    registry.push(
        "web", "2", new TestImage(TestImage.config("linux", "amd64", List.of(base)), List.of(cut)));
    registry.push(
        "web",
        "3",
        new TestImage(
            TestImage.config("linux", "amd64", List.of(base)),
            List.of(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0})));

    assertThat(failure("web:1"))
        .hasMessageContaining("its content has the digest " + ContentDigest.of(top));
    assertThat(failure("web:2")).hasMessageContaining(ContentDigest.of(cut));
    assertThat(failure("web:2").kind()).isEqualTo(ImageFailure.INVALID);
    assertThat(failure("web:3")).hasMessageContaining("compressed with zstd");
    assertThat(images.list()).isEmpty();
  }

  @Test
  void registriesThatRefuseOrAreOutOfReachAreNamed() {
    assertThat(failure("nothing:1").kind()).isEqualTo(ImageFailure.NOT_FOUND);
    registry.close();
    ImageException failure = failure("web:1");
    assertThat(failure.kind()).isEqualTo(ImageFailure.REGISTRY);
    assertThat(failure).hasMessageContaining(registry.host());
  }

  @Test
  void anImageThatIsThereCostsOneRequest() throws Exception {
    registry.push("web", "1", TestImage.of(base, top));
    images.pull(request("web:1"));
    // Also for a process that has just started, and knows nothing but what is on disk.
    try (RegistryClient fresh = new RegistryClient(RegistrySettings.USUAL)) {
      VmImages later =
          VmImageStores.open(
              directory.resolve("store"), fresh, GUESTS, Set.of(), Clock.systemUTC());
      registry.requests();

      later.pull(request("web:1"));

      assertThat(registry.requests()).containsExactly("GET /v2/web/manifests/1");
    }
  }

  @Test
  void layersOfAPullThatFailedServeTheNextOneForSomeTime() throws Exception {
    byte[][] tars = new byte[6][];
    for (int i = 0; i < tars.length; i++) {
      tars[i] = new TarBuilder().file("file" + i, "").build();
    }
    TestImage image = TestImage.of(tars);
    registry.push("web", "1", image);
    byte[] blob = image.layers().getLast();
    registry.damage(blob, new byte[blob.length]);
    assertThat(failure("web:1").kind()).isEqualTo(ImageFailure.INVALID);
    registry.damage(blob, blob);
    registry.requests();

    images.pull(request("web:1"));

    List<String> layers = image.layers().stream().map(ContentDigest::of).toList();
    // The last layer was asked for when three of the others were there.
    assertThat(registry.requests())
        .filteredOn(request -> layers.stream().anyMatch(request::contains))
        .hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void aMachineKeepsWhatItUsesWhenTheImageGoes() throws Exception {
    registry.push("web", "1", TestImage.of(base));
    StoredImage stored = images.pull(request("web:1"));
    Path extent = images.extents(stored.id()).getLast();
    Path link = Files.createLink(directory.resolve("link"), extent);
    byte[] content = Files.readAllBytes(extent);

    images.remove(stored.id());

    assertThat(extent).doesNotExist();
    assertThat(link).hasBinaryContent(content);
    assertThat(catchThrowableOfType(ImageException.class, () -> images.extents(stored.id())).kind())
        .isEqualTo(ImageFailure.NOT_FOUND);
  }

  @Test
  void manyPullsOfOneImageMakeOne() throws Exception {
    TestImage image = TestImage.of(base, top);
    registry.push("web", "1", image);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<StoredImage>> pulls = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        pulls.add(threads.submit(() -> images.pull(request("web:1"))));
      }
      for (Future<StoredImage> pull : pulls) {
        assertThat(pull.get().id()).isEqualTo(image.id());
      }
    }
    List<String> pulled = registry.requests();
    assertThat(images.list()).hasSize(1);
    assertThat(images.usage().files()).isEqualTo(6);
    assertThat(directory.resolve("store/work")).isEmptyDirectory();
    for (byte[] layer : image.layers()) {
      String digest = ContentDigest.of(layer);
      assertThat(pulled).filteredOn(request -> request.contains(digest)).hasSize(1);
    }
  }

  @Test
  void whatWasHalfDoneWhenTheProcessEndedIsRemoved() throws Exception {
    registry.push("web", "1", TestImage.of(base));
    StoredImage stored = images.pull(request("web:1"));
    Path store = directory.resolve("store");
    Files.createDirectories(store.resolve("work/abc/layer"));
    Files.writeString(store.resolve("work/abc/layer/data"), "half");
    Files.createDirectories(store.resolve("layers/" + "0".repeat(64)));
    Files.writeString(store.resolve("layers/" + "0".repeat(64) + "/data"), "unnamed");
    Files.writeString(store.resolve("metadata/" + "1".repeat(64)), "unnamed");
    Files.writeString(store.resolve(".catalog.json.12.tmp"), "{");

    assertThat(open().list()).containsExactly(stored);

    assertThat(open().usage().files()).isEqualTo(4);
    assertThat(store.resolve("work")).isEmptyDirectory();
  }

  private ImageException failure(String image) {
    return catchThrowableOfType(ImageException.class, () -> images.pull(request(image)));
  }

  private ImageRequest request(String image) {
    return ImageRequest.anonymous(
        ImageReference.parse(registry.host() + "/" + image).orElseThrow(), Duration.ofSeconds(30));
  }
}
