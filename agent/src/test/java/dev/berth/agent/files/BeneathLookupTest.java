package dev.berth.agent.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BeneathLookupTest {
  @TempDir private Path place;
  private Path volume;
  private Path outside;

  @BeforeEach
  void makeVolume() throws IOException {
    place = place.toRealPath();
    volume = Files.createDirectories(place.resolve("volume"));
    outside = Files.createDirectories(place.resolve("outside"));
    Files.createDirectories(volume.resolve("a/b"));
    Files.writeString(volume.resolve("a/file"), "content");
    link("short", "a/b");
    link("a/up", "../a/file");
    link("absolute", volume.resolve("a").toString());
    link("dangling", "a/later");
    link("out", "../outside");
    link("a/far", "../../outside");
    link("etc", "/etc");
    link("almost", volume + "-other/x");
    link("loop", "loop");
    link("a/absolute-out", volume + "/../outside");
  }

  private void link(String name, String target) throws IOException {
    Files.createSymbolicLink(volume.resolve(name), Path.of(target));
  }

  @ParameterizedTest
  @CsvSource({
    "a/b, a/b",
    "./a//b/, a/b",
    "short, a/b",
    "short/new, a/b/new",
    "a/up, a/file",
    "absolute/b, a/b",
    "dangling, a/later",
    "new/and/deep, new/and/deep",
    "a/../a/b, a/b",
    "'', ''"
  })
  void whatStaysInsideIsFoundOrMade(String path, String expected) throws IOException {
    try (DirectoryHandle root = DirectoryHandle.open(volume);
        FileHandle found = BeneathLookup.make(root, path)) {
      assertThat(found.realPath()).isEqualTo(volume.resolve(expected).normalize());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        "a/../..",
        "out",
        "out/x",
        "a/far",
        "etc",
        "etc/passwd",
        "almost",
        "/etc",
        "a/absolute-out"
      })
  void whatLeadsOutIsRefused(String path) throws IOException {
    try (DirectoryHandle root = DirectoryHandle.open(volume)) {
      assertThatThrownBy(() -> BeneathLookup.make(root, path))
          .isInstanceOf(PathEscapeException.class)
          .hasMessage("the path leads out of the volume");
    }
    assertThat(outside).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"loop", "a/file/x"})
  void whatLeadsNowhereIsRefused(String path) throws IOException {
    try (DirectoryHandle root = DirectoryHandle.open(volume)) {
      assertThatThrownBy(() -> BeneathLookup.make(root, path))
          .isInstanceOf(FileSystemException.class);
    }
  }

  @Test
  void nothingIsMadeByWhoOnlyLooks() throws IOException {
    try (DirectoryHandle root = DirectoryHandle.open(volume)) {
      assertThatThrownBy(() -> BeneathLookup.find(root, "none/x"))
          .isInstanceOf(FileSystemException.class);
    }
    assertThat(volume.resolve("none")).doesNotExist();
  }

  @Test
  void descriptorsAreClosed() throws IOException {
    try (DirectoryHandle root = DirectoryHandle.open(volume)) {
      BeneathLookup.make(root, "short/x/y/z").close();
      long before = openFiles();
      for (int i = 0; i < 200; i++) {
        BeneathLookup.make(root, "short/x/y/z").close();
        assertThatThrownBy(() -> BeneathLookup.make(root, "a/b/../far/x"))
            .isInstanceOf(PathEscapeException.class);
      }
      assertThat(openFiles()).isLessThan(before + 100);
    }
  }

  private static long openFiles() throws IOException {
    try (var all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }
}
