package dev.berth.vm.images;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/// A random stack of layers, and what it means by the letter of the specification: first a layer's
/// whiteouts apply to what lies below, then its files come one after the other.
final class RandomLayers {
  private static final List<String> NAMES = List.of("a", "b", "c", "!", "zz", "-A~");
  private static final int MOST_SIZE = 9000;

  /// A file as it is expected; hard links are the same object.
  static final class ExpectedFile {
    final char type;
    final int mode;
    final long uid;
    final long mtime;
    final byte[] content;

    ExpectedFile(char type, int mode, long uid, long mtime, byte[] content) {
      this.type = type;
      this.mode = mode;
      this.uid = uid;
      this.mtime = mtime;
      this.content = content;
    }
  }

  private final Random random;
  private final List<byte[]> tars = new ArrayList<>();
  private Map<String, ExpectedFile> state = new TreeMap<>();

  RandomLayers(long seed) {
    random = new Random(seed);
    state.put("", new ExpectedFile('d', 0755, 0, 0, new byte[0]));
    int layers = 1 + random.nextInt(6);
    for (int i = 0; i < layers; i++) {
      addLayer();
    }
  }

  List<byte[]> tars() {
    return tars;
  }

  /// By path; the root is the empty one.
  Map<String, ExpectedFile> expected() {
    return state;
  }

  private String path() {
    int depth = 1 + random.nextInt(3);
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < depth; i++) {
      parts.add(NAMES.get(random.nextInt(NAMES.size())));
    }
    return String.join("/", parts);
  }

  private void addLayer() {
    TarBuilder tar = new TarBuilder();
    Map<String, ExpectedFile> below = new TreeMap<>(state);
    List<Runnable> entries = new ArrayList<>();
    Set<String> removed = new HashSet<>();
    int count = random.nextInt(25);
    for (int i = 0; i < count; i++) {
      switch (random.nextInt(8)) {
        case 0 -> {
          String path = path();
          removed.add(path);
          entries.add(() -> tar.file(whiteout(path), ""));
        }
        case 1 -> {
          String path = path();
          removed.add(path + "/");
          entries.add(() -> tar.file(path + "/.wh..wh..opq", ""));
        }
        case 2 -> entries.add(() -> addLink(tar));
        case 3, 4 -> entries.add(() -> addDirectory(tar));
        default -> entries.add(() -> addFile(tar));
      }
    }
    below.keySet().removeIf(path -> isRemoved(path, removed));
    state = below;
    entries.forEach(Runnable::run);
    tars.add(tar.build());
  }

  private boolean isRemoved(String path, Set<String> removed) {
    // An opaque directory is one only if it is a directory.
    return removed.stream()
        .anyMatch(
            gone ->
                gone.endsWith("/")
                    ? path.startsWith(gone)
                    : path.equals(gone) || path.startsWith(gone + "/"));
  }

  private static String whiteout(String path) {
    int slash = path.lastIndexOf('/') + 1;
    return path.substring(0, slash) + ".wh." + path.substring(slash);
  }

  private ExpectedFile described(TarBuilder tar, char type, byte[] content) {
    ExpectedFile file =
        new ExpectedFile(
            type,
            0400 | random.nextInt(0400),
            random.nextInt(4) == 0 ? 100_000 + random.nextInt(9) : random.nextInt(9),
            1_600_000_000L + random.nextInt(3),
            content);
    tar.mode(file.mode).owner(file.uid, file.uid).mtime(file.mtime);
    return file;
  }

  private void addFile(TarBuilder tar) {
    String path = path();
    if (random.nextInt(5) == 0) {
      byte[] target = "x".repeat(1 + random.nextInt(4000)).getBytes(StandardCharsets.ISO_8859_1);
      // No path leads through a link here: its own name is one that no directory has.
      String name = path + "-link";
      tar.mode(0777);
      put(name, described(tar, 's', target));
      tar.mode(0777).symlink(name, new String(target, StandardCharsets.ISO_8859_1));
      return;
    }
    byte[] content = new byte[random.nextInt(4) == 0 ? 4096 : random.nextInt(MOST_SIZE)];
    random.nextBytes(content);
    put(path, described(tar, 'f', content));
    tar.file(path, content);
  }

  private void addDirectory(TarBuilder tar) {
    String path = path();
    ExpectedFile before = state.get(path);
    ExpectedFile file = described(tar, 'd', new byte[0]);
    if (before != null && before.type == 'd') {
      state.put(path, file);
    } else {
      put(path, file);
    }
    tar.directory(path);
  }

  /// To a file that is there after the whiteouts of the layer. Names of symbolic links are not
  /// taken, because other paths could lead through them.
  private void addLink(TarBuilder tar) {
    List<String> files =
        state.entrySet().stream()
            .filter(file -> file.getValue().type == 'f')
            .map(Map.Entry::getKey)
            .toList();
    String name = path();
    if (!files.isEmpty()) {
      String target = files.get(random.nextInt(files.size()));
      ExpectedFile file = Objects.requireNonNull(state.get(target));
      // A link in place of a directory around its target is no honest one.
      if (!target.equals(name)
          && !target.startsWith(name + "/")
          && !name.startsWith(target + "/")) {
        put(name, file);
        tar.hardLink(name, target);
      }
    }
  }

  private void put(String path, ExpectedFile file) {
    for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
      String parent = path.substring(0, slash);
      ExpectedFile there = state.get(parent);
      if (there == null || there.type != 'd') {
        state.put(parent, new ExpectedFile('d', 0755, 0, 0, new byte[0]));
      }
    }
    state.keySet().removeIf(other -> other.startsWith(path + "/"));
    state.put(path, file);
  }

  /// How many names each file has, directories included.
  Map<ExpectedFile, Integer> links() {
    Map<ExpectedFile, Integer> links = new HashMap<>();
    state.forEach(
        (path, file) -> {
          links.merge(file, file.type == 'd' ? 2 : 1, Integer::sum);
          if (file.type == 'd' && !path.isEmpty()) {
            int slash = path.lastIndexOf('/');
            links.merge(
                Objects.requireNonNull(state.get(slash < 0 ? "" : path.substring(0, slash))),
                1,
                Integer::sum);
          }
        });
    return links;
  }
}
