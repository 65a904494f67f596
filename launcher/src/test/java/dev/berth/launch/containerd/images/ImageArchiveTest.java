package dev.berth.launch.containerd.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ImageArchiveTest {
  @Test
  void theSameInputsGiveTheSameBytesWithAllImagesInOneManifest(@TempDir Path directory)
      throws IOException {
    Path busybox = Files.writeString(directory.resolve("busybox"), "program");

    byte[] first = archive(busybox, directory.resolve("one.tar"));

    assertThat(archive(busybox, directory.resolve("two.tar"))).isEqualTo(first);
    assertThat(new String(first, StandardCharsets.ISO_8859_1))
        .contains("\"RepoTags\":[\"a.example/x:1\"]", "\"RepoTags\":[\"a.example/y:1\"]")
        .contains("\"Cmd\":[\"/bin/sh\",\"-c\",\"echo hello\"]", "bin/ls");
    assertThat(first.length % 512).isZero();
  }

  private static byte[] archive(Path busybox, Path file) throws IOException {
    ImageArchive.of(busybox, List.of("sh", "ls"))
        .image("a.example/x:1", List.of("/bin/sh", "-c", "echo hello"))
        .image("a.example/y:1", List.of("/bin/ls"))
        .write(file);
    return Files.readAllBytes(file);
  }
}
