package dev.berth.vm.images.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What layers make of each other.
///
/// In the tables `d:a` is a directory, `f:a/x=1` a file with a content, `s:l>a` a symbolic link,
/// `h:b>a/x` a hard link, `w:a/x` and `o:a` are whiteouts; `|` separates layers.
final class FileTreeTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "f:x=1 | f:x=2, x=2",
        "f:a/x=1, a/ a/x=1",
        "d:a f:a/x=1 | w:a/x, a/",
        "d:a f:a/x=1 | w:a, ''",
        "f:x=1 | w:y, x=1",
        "f:x=1 | w:x/y, x=1",
        // A whiteout does not concern its own layer, wherever it stands.
        "f:x=1 | w:x f:x=2, x=2",
        "f:x=1 | f:x=2 w:x, x=2",
        "d:a f:a/x=1 f:a/y=1 | d:a f:a/y=2 o:a, a/ a/y=2",
        "d:a f:a/x=1 f:a/y=1 | o:a f:a/y=2, a/ a/y=2",
        "d:a f:a/x=1 | o:a, a/",
        "d:a/b f:a/b/x=1 f:a/b/y=1 | f:a/b/y=2 o:a, a/ a/b/ a/b/y=2",
        "d:a/b f:a/b/x=1 | f:a/z=2 w:a, a/ a/z=2",
        "d:a/b f:a/b/x=1 | d:a/b o:a, a/ a/b/",
        "f:x=1 d:a | o:, ''",
        "d:a f:a/x=1 | w:a | d:a f:a/y=3, a/ a/y=3",
        // Files and directories replace each other.
        "d:a f:a/x=1 | f:a=2, a=2",
        "f:a=1 | d:a, a/",
        "f:a=1 | f:a/x=2, a/ a/x=2",
        "d:a f:a/x=1 | d:a, a/ a/x=1",
        "d:a f:a/x=1 | s:a>b, a>b",
        // Hard links are the same file, until one of the names gets another one.
        "f:x=1 h:y>x, x=1 y=1",
        "f:x=1 | h:y>x, x=1 y=1",
        "f:x=1 h:y>x | f:x=2, x=2 y=1",
        "f:x=1 h:y>x | w:x, y=1",
        "f:x=1 | h:y>x w:x, y=1",
        "d:a f:a/x=1 | h:a/y>a/x o:a, a/ a/y=1",
        "s:x>t h:y>x, x>t y>t",
        "f:x=1 h:x>x, x=1",
        // Links on the way to a file are followed within the image.
        "d:usr/lib s:lib>usr/lib | f:lib/x=2, lib>usr/lib usr/ usr/lib/ usr/lib/x=2",
        "s:lib>/usr/lib | f:lib/x=2, lib>/usr/lib usr/ usr/lib/ usr/lib/x=2",
        "s:up>../../../etc | f:up/x=2, etc/ etc/x=2 up>../../../etc",
        "d:usr/lib f:usr/lib/x=1 s:lib>usr/lib | w:lib/x, lib>usr/lib usr/ usr/lib/",
        "d:usr/lib f:usr/lib/x=1 s:lib>usr/lib | d:lib w:lib/x, lib/ usr/ usr/lib/ usr/lib/x=1",
      })
  void layersMakeATree(String layers, String tree) throws LayerFormatException {
    assertThat(show(apply(layers, 100).root())).isEqualTo(tree.replace("''", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "h:y>x; y is a hard link to x, which is not there",
        "d:a h:y>a; y is a hard link to a, which is a directory",
        "f:x=1 | w:x h:y>x; y is a hard link to x, which is not there",
        "s:a>b s:b>a f:a/x=1; the symbolic links on the way to a lead in a circle",
        "s:a>a/a f:a/x=1; the symbolic links on the way to a lead in a circle",
        "f:1=1 f:2=1 f:3=1 f:4=1 f:5=1 f:6=1; the image has more than 6 files",
        "f:a/b/c/d/e/f/g/h=1; the image has more than 6 files",
      })
  void whatMakesNoTreeIsRefused(String layers, String reason) {
    assertThatThrownBy(() -> apply(layers, 6))
        .isInstanceOf(LayerFormatException.class)
        .hasMessage(reason);
  }

  @Test
  void aDirectoryHasTheAttributesOfTheHighestLayerThatDescribesIt() throws LayerFormatException {
    FileTree tree = new FileTree(10);
    tree.apply(List.of(directory("a", 0700), directory("b", 0700)), 0);
    tree.apply(List.of(directory("a", 0711), directory("", 0500)), 1);

    assertThat(tree.root().entry().mode()).isEqualTo(0500);
    assertThat(child(tree, "a").entry().mode()).isEqualTo(0711);
    assertThat(child(tree, "b").entry().mode()).isEqualTo(0700);
  }

  @Test
  void directoriesThatALinkNamesHaveProperNames() throws LayerFormatException {
    FileTree tree = new FileTree(10);
    tree.apply(List.of(link("s", "n".repeat(256))), 0);

    assertThatThrownBy(() -> tree.apply(List.of(file("s/x")), 1))
        .hasMessageContaining("more than 255 bytes");
  }

  @Test
  void pathsCannotBecomeDeepThroughLinks() throws LayerFormatException {
    String deep = "d/".repeat(600);
    FileTree tree = new FileTree(100_000);
    tree.apply(List.of(file(deep + "x"), link("s", deep)), 0);

    assertThatThrownBy(() -> tree.apply(List.of(file("s/" + deep + "x")), 1))
        .hasMessageContaining("directories deep");
  }

  @Test
  void aLayerOfWhiteoutsTakesNoLongerThanItsFiles() throws LayerFormatException {
    int count = 30_000;
    FileTree tree = new FileTree(10 * count);
    List<LayerEntry> lower = new ArrayList<>();
    List<LayerEntry> upper = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lower.add(file("a/x" + i));
      upper.add(file("a/y" + i));
      upper.add(entry('o', "a", ""));
    }
    tree.apply(lower, 0);
    // Quadratic work would take minutes here.
    tree.apply(upper, 1);

    assertThat(child(tree, "a").children()).hasSize(count);
  }

  private static FileNode child(FileTree tree, String name) {
    return Objects.requireNonNull(tree.root().children().get(name));
  }

  private static FileTree apply(String layers, int most) throws LayerFormatException {
    FileTree tree = new FileTree(most);
    int number = 0;
    for (String layer : layers.split(" *\\| *", -1)) {
      List<LayerEntry> entries = new ArrayList<>();
      for (String word : layer.trim().split(" ", -1)) {
        String[] parts = word.substring(2).split("[=>]", 2);
        entries.add(entry(word.charAt(0), parts[0], parts.length > 1 ? parts[1] : ""));
      }
      tree.apply(entries, number++);
    }
    return tree;
  }

  private static LayerEntry file(String path) {
    return entry('f', path, "1");
  }

  private static LayerEntry link(String path, String target) {
    return entry('s', path, target);
  }

  private static LayerEntry directory(String path, int mode) {
    return new LayerEntry(path, LayerEntryType.DIRECTORY, mode, 0, 0, 0, 0, 0, 0, "", 0, Map.of());
  }

  private static LayerEntry entry(char type, String path, String value) {
    LayerEntryType kind =
        switch (type) {
          case 'd' -> LayerEntryType.DIRECTORY;
          case 'f' -> LayerEntryType.FILE;
          case 's' -> LayerEntryType.SYMLINK;
          case 'h' -> LayerEntryType.HARD_LINK;
          case 'w' -> LayerEntryType.WHITEOUT;
          case 'o' -> LayerEntryType.OPAQUE;
          default -> throw new IllegalArgumentException(String.valueOf(type));
        };
    long size = type == 'f' ? Long.parseLong(value) : 0;
    String link = type == 's' || type == 'h' ? value : "";
    return new LayerEntry(path, kind, 0755, 0, 0, 0, 0, size, 0, link, 0, Map.of());
  }

  private static String show(FileNode root) {
    List<String> lines = new ArrayList<>();
    show(root, "", lines);
    return String.join(" ", lines);
  }

  private static void show(FileNode directory, String path, List<String> lines) {
    new TreeMap<>(directory.children())
        .forEach(
            (name, node) -> {
              LayerEntry entry = node.entry();
              switch (entry.type()) {
                case DIRECTORY -> {
                  lines.add(path + name + "/");
                  show(node, path + name + "/", lines);
                }
                case SYMLINK -> lines.add(path + name + ">" + entry.link());
                default -> lines.add(path + name + "=" + entry.size());
              }
            });
  }
}
