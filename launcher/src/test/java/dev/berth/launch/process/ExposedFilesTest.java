package dev.berth.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExposedFilesTest {
  @TempDir Path directory;

  @BeforeEach
  void open() throws IOException {
    mode(directory, "rwxr-xr-x");
  }

  private static Path mode(Path path, String permissions) throws IOException {
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  private Path file(String name, String permissions) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return mode(Files.createFile(file), permissions);
  }

  @Test
  void filesThatTheGroupOrOthersCanReadAreFound() throws IOException {
    Path group = file("group.key", "rw-r-----");
    Path others = file("token.csv", "rw----r--");
    Path own = file("own.key", "rw-------");
    Path certificate = file("pki/ca.crt", "rw-r--r--");
    Path key = file("pki/ca.key", "rw-r--r--");
    assertThat(
            ExposedFiles.find(
                List.of(group, others, own, certificate.getParent(), directory.resolve("missing"))))
        .containsExactly(group, key, others);
  }

  @Test
  void aDirectoryThatIsClosedProtectsWhatIsInIt() throws IOException {
    Path key = file("closed/deep/a.key", "rw-r--r--");
    mode(directory.resolve("closed"), "rwx------");
    assertThat(ExposedFiles.find(List.of(key))).isEmpty();
    mode(directory.resolve("closed"), "rwx--x---");
    assertThat(ExposedFiles.find(List.of(key))).containsExactly(key);
  }

  @Test
  void aLinkIsAsOpenAsItsTarget() throws IOException {
    Path key = file("a.key", "rw-------");
    Path link = Files.createSymbolicLink(directory.resolve("link.key"), key);
    assertThat(ExposedFiles.find(List.of(link))).isEmpty();
    mode(key, "rw-r--r--");
    assertThat(ExposedFiles.find(List.of(link))).containsExactly(link);
  }
}
