package dev.berth.vm.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random stacks of layers, extracted by erofs-utils from the disk that they make.
final class RandomLayersTest {
  private static final int STACKS = 12;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void theDiskHasWhatTheSpecificationSays(long seed) throws IOException {
    for (int i = 0; i < STACKS; i++) {
      RandomLayers layers = new RandomLayers(seed * 1000 + i);
      Path work = Files.createTempDirectory(directory, "stack");
      Path disk = TestStack.disk(work, layers.tars());
      Path tree = work.resolve("tree");
      Files.copy(
          disk, Path.of("/tmp/vmimages-stack"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      assertThat(
              TestStack.run(
                  "fsck.erofs",
                  "--no-preserve-owner",
                  "--preserve-perms",
                  "--extract=" + tree,
                  disk.toString()))
          .doesNotContain("<E>");
      ExpectedTree.check("seed %d".formatted(seed * 1000 + i), tree, layers, false);
    }
  }
}
