package dev.berth.vm.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.registry.RegistryClient;
import dev.berth.registry.RegistrySettings;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.registry.transport.ContentDigest;
import dev.berth.vm.images.ImageException.ImageFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Archives of images, honest and other ones.
final class ArchiveLoadTest {
  private final byte[] base = new TarBuilder().file("etc/os", "base").build();
  private final byte[] top = new TarBuilder().file("etc/app", "top").build();

  @TempDir Path directory;
  private RegistryClient client;
  private VmImages images;

  @BeforeEach
  void open() {
    client = new RegistryClient(RegistrySettings.USUAL);
    images =
        VmImageStores.open(
            directory.resolve("store"),
            client,
            TargetPlatform.of(ImagePlatform.parse("linux/amd64").orElseThrow()),
            Set.of("docker.io/library/pause:1"),
            Clock.systemUTC());
  }

  @AfterEach
  void close() {
    client.close();
  }

  private static TarBuilder layout(TestImage image, String annotations) {
    TarBuilder tar = new TarBuilder().directory("blobs").directory("blobs/sha256");
    byte[] manifest = image.manifest().getBytes(StandardCharsets.UTF_8);
    for (byte[] blob : image.blobs()) {
      tar.file(file(blob), blob);
    }
    tar.file(file(manifest), manifest);
    tar.file("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}");
    String entry = TestImage.descriptor(TestImage.MANIFEST, manifest);
    return tar.file(
        "index.json",
        "{\"manifests\":[%s,\"annotations\":{%s}}]}"
            .formatted(entry.substring(0, entry.length() - 1), annotations));
  }

  private static String file(byte[] blob) {
    return "blobs/sha256/" + ContentDigest.of(blob).substring(7);
  }

  private static TarBuilder docker(TestImage image, String tags, List<byte[]> layers) {
    TarBuilder tar = new TarBuilder();
    StringBuilder names = new StringBuilder();
    for (byte[] layer : layers) {
      String name = "layer" + names.length() + "/layer.tar";
      tar.file(name, layer);
      names.append(names.isEmpty() ? "" : ",").append('"').append(name).append('"');
    }
    String config = image.id().substring(7) + ".json";
    tar.file(config, image.config());
    return tar.file(
        "manifest.json",
        "[{\"Config\":\"%s\",\"RepoTags\":[%s],\"Layers\":[%s]}]".formatted(config, tags, names));
  }

  private List<StoredImage> load(TarBuilder tar) throws IOException {
    return images.load(Files.write(directory.resolve("archive.tar"), tar.build()));
  }

  private ImageException failure(TarBuilder tar) {
    return catchThrowableOfType(ImageException.class, () -> load(tar));
  }

  @Test
  void anOciLayoutGivesItsImageByNameAndDigest() throws IOException {
    TestImage image = TestImage.of(base, top);
    List<StoredImage> loaded =
        load(layout(image, "\"io.containerd.image.name\":\"docker.io/library/pause:1\""));

    assertThat(loaded).hasSize(1);
    assertThat(loaded.getFirst().id()).isEqualTo(image.id());
    assertThat(loaded.getFirst().pinned()).isTrue();
    assertThat(images.find("pause:1")).contains(loaded.getFirst());
    assertThat(
            images.find(
                "pause@" + ContentDigest.of(image.manifest().getBytes(StandardCharsets.UTF_8))))
        .contains(loaded.getFirst());
    assertThat(images.extents(image.id())).hasSize(3);
  }

  @Test
  void aTagAloneNamesNoImage() throws IOException {
    StoredImage image =
        load(layout(TestImage.of(base), "\"org.opencontainers.image.ref.name\":\"latest\""))
            .getFirst();

    assertThat(image.tags()).isEmpty();
    assertThat(images.find(image.id())).contains(image);
  }

  @Test
  void whatDockerSavesGivesItsImage() throws IOException {
    TestImage image = TestImage.of(base, top);
    List<StoredImage> loaded = load(docker(image, "\"web:1\",\"web:2\"", List.of(base, top)));

    assertThat(loaded).hasSize(1);
    assertThat(loaded.getFirst().tags())
        .containsExactlyInAnyOrder("docker.io/library/web:1", "docker.io/library/web:2");
    images.remove("web:1");
    assertThat(images.find("web:2")).isPresent();
    images.remove("web:2");
    assertThat(images.list()).isEmpty();
  }

  @Test
  void anArchiveThatIsDamagedLeavesNothing() throws IOException {
    TestImage image = TestImage.of(base, top);
    assertThat(failure(docker(image, "\"web:1\"", List.of(base, base))))
        .hasMessageContaining("its content has the digest " + ContentDigest.of(base));
    assertThat(failure(docker(image, "", List.of(base)))).hasMessageContaining("has 1 layers");
    assertThat(failure(new TarBuilder().file("README", "x")).kind())
        .isEqualTo(ImageFailure.INVALID);
    assertThat(
            failure(
                new TarBuilder().raw("no tar file ".repeat(100).getBytes(StandardCharsets.UTF_8))))
        .hasMessageContaining("it is not a tar file");
    assertThat(failure(docker(TestImage.of("linux", "arm64", List.of(base)), "", List.of(base))))
        .hasMessageContaining("has no entry for linux/amd64: it has linux/arm64");
    assertThat(images.list()).isEmpty();
    assertThat(images.usage().files()).isZero();
  }
}
