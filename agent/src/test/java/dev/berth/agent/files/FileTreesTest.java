package dev.berth.agent.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Trees that would be too deep, too wide or too strange for methods that work with paths.
final class FileTreesTest {
  private static final int DEEP = 2_500;
  private static final int WIDE = 5_000;

  @TempDir private Path place;

  @Test
  void aTreeMayBeDeeperThanAnyPath() throws IOException {
    DirectoryHandle directory = DirectoryHandle.make(place, "tree");
    for (int i = 0; i < DEEP; i++) {
      try (DirectoryHandle parent = directory) {
        parent.makeDirectory("d");
        parent.create("file").close();
        directory = parent.directory("d");
      }
    }
    directory.close();

    try (DirectoryHandle parent = DirectoryHandle.open(place);
        DirectoryHandle tree = parent.directory("tree")) {
      assertThat(TreeUsage.of(tree).inodes()).isEqualTo(2 * DEEP);
      parent.removeTree("tree");
    }
    assertThat(place).isEmptyDirectory();
  }

  @Test
  void aDirectoryMayHaveMoreEntriesThanAreReadAtOnce() throws IOException {
    try (DirectoryHandle tree = DirectoryHandle.make(place, "tree");
        DirectoryHandle parent = DirectoryHandle.open(place)) {
      for (int i = 0; i < WIDE; i++) {
        if (i % 2 == 0) {
          tree.makeDirectory("directory-" + i);
        } else {
          tree.create("file-" + i).close();
        }
      }
      assertThat(tree.names()).hasSize(WIDE).doesNotHaveDuplicates();
      assertThat(TreeUsage.of(tree).inodes()).isEqualTo(WIDE);
      parent.removeTree("tree");
    }
    assertThat(place).isEmptyDirectory();
  }

  @Test
  void namesNeedNotBeText() throws IOException {
    try (DirectoryHandle tree = DirectoryHandle.make(place, "tree");
        DirectoryHandle parent = DirectoryHandle.open(place);
        LinuxCalls calls = new LinuxCalls()) {
      byte[] strange = {(byte) 0xff, '\n', (byte) 0xc3};
      calls.makeDirectory(tree.descriptor(), strange, 0700, tree.path());
      calls.link(strange, tree.descriptor(), new byte[] {(byte) 0xfe}, tree.path());
      PathExchange.makePipe(place.resolve("tree/pipe"));
      Files.createSymbolicLink(place.resolve("tree/link"), Path.of("/etc"));
      assertThat(TreeUsage.of(tree).inodes()).isEqualTo(4);
      parent.removeTree("tree");
    }
    assertThat(place).isEmptyDirectory();
    assertThat(Path.of("/etc")).isNotEmptyDirectory();
  }

  @Test
  void whatIsOccupiedCountsOnceAndNotWhatIsSaid() throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(place.resolve("sparse").toFile(), "rw")) {
      sparse.setLength(1L << 40);
    }
    Path real = Files.write(place.resolve("real"), new byte[1 << 20]);
    Files.createLink(place.resolve("again"), real);

    try (DirectoryHandle tree = DirectoryHandle.open(place)) {
      TreeUsage usage = TreeUsage.of(tree);
      assertThat(usage.bytes()).isBetween(1L << 20, 2L << 20);
      assertThat(usage.inodes()).isEqualTo(2);
    }
  }

  @Test
  void linksPipesAndDirectoriesAreNotFilesToRead() throws Exception {
    Files.writeString(place.resolve("secret"), "no");
    Files.createSymbolicLink(place.resolve("link"), place.resolve("secret"));
    PathExchange.makePipe(place.resolve("pipe"));
    Files.createDirectory(place.resolve("directory"));

    try (DirectoryHandle directory = DirectoryHandle.open(place)) {
      for (String name : new String[] {"link", "pipe", "directory"}) {
        try (FileHandle found = directory.find(name)) {
          assertThatThrownBy(() -> found.tail(100))
              .isInstanceOf(FileSystemException.class)
              .hasMessageContaining("not a regular file");
        }
        assertThatThrownBy(() -> directory.createOrOpen(name))
            .isInstanceOf(FileSystemException.class);
      }
      assertThatThrownBy(() -> directory.directory("link")).isInstanceOf(FileSystemException.class);
      assertThatThrownBy(() -> directory.find("../x")).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(place.resolve("secret")).hasContent("no");
  }
}
