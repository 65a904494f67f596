package dev.berth.vm.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.registry.RegistryClient;
import dev.berth.registry.RegistrySettings;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.vm.images.ImageException.ImageFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store on a file system that has no room left.
final class FullDiskIT {
  @TempDir Path directory;

  @Test
  void anImageThatDoesNotFitIsRefusedAndLeavesTheOthers() throws IOException {
    Assumptions.assumeTrue(
        "root".equals(System.getProperty("user.name")), "only root can mount file systems");
    Path disk = Files.createDirectory(directory.resolve("disk"));
    TestStack.run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk.toString());
    try (RegistryClient client = new RegistryClient(RegistrySettings.USUAL)) {
      VmImages images =
          VmImageStores.open(
              disk.resolve("store"),
              client,
              TargetPlatform.of(ImagePlatform.parse("linux/amd64").orElseThrow()),
              Set.of(),
              Clock.systemUTC());
      StoredImage small = images.load(archive("small", 500_000)).getFirst();
      long files = images.usage().files();

      ImageException failure =
          catchThrowableOfType(
              ImageException.class, () -> images.load(archive("large", 3_000_000)));

      assertThat(failure.kind()).isEqualTo(ImageFailure.NO_SPACE);
      assertThat(failure).hasMessageContaining("Make room on the disk");
      assertThat(images.list()).containsExactly(small);
      assertThat(images.usage().files()).isEqualTo(files);
      assertThat(images.load(archive("other", 500_000))).hasSize(1);
    } finally {
      TestStack.run("umount", disk.toString());
    }
  }

  private Path archive(String name, int size) throws IOException {
    byte[] content = new byte[size];
    new Random(size).nextBytes(content);
    byte[] layer = new TarBuilder().file(name, content).build();
    TestImage image = TestImage.of(layer);
    TarBuilder tar = new TarBuilder().file("layer.tar", layer).file("config.json", image.config());
    tar.file(
        "manifest.json",
        "[{\"Config\":\"config.json\",\"RepoTags\":[\"%s:1\"],\"Layers\":[\"layer.tar\"]}]"
            .formatted(name));
    return Files.write(directory.resolve(name + ".tar"), tar.build());
  }
}
