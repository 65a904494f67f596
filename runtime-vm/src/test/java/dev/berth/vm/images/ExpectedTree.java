package dev.berth.vm.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.registry.transport.ContentDigest;
import dev.berth.vm.images.RandomLayers.ExpectedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Compares directories with what layers mean.
final class ExpectedTree {
  private ExpectedTree() {}

  /// @param isWhole whether owners, times and numbers of links count, too
  static void check(String name, Path tree, RandomLayers layers, boolean isWhole)
      throws IOException {
    Map<String, String> actual = new TreeMap<>();
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.toList()) {
        actual.put(tree.relativize(file).toString(), shown(file, isWhole));
      }
    }
    Map<ExpectedFile, Integer> links = layers.links();
    Map<String, String> expected = new TreeMap<>();
    layers
        .expected()
        .forEach(
            (path, file) -> expected.put(path, shown(file, links.getOrDefault(file, 0), isWhole)));
    assertThat(actual).as(name).isEqualTo(expected);
  }

  private static String shown(Path file, boolean isWhole) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(file, "unix:*", LinkOption.NOFOLLOW_LINKS);
    int mode = (Integer) Objects.requireNonNull(attributes.get("mode"));
    char type = (mode & 0170000) == 0120000 ? 's' : (mode & 0170000) == 0040000 ? 'd' : 'f';
    byte[] content =
        switch (type) {
          case 's' -> Files.readSymbolicLink(file).toString().getBytes(StandardCharsets.ISO_8859_1);
          case 'f' -> Files.readAllBytes(file);
          default -> new byte[0];
        };
    String whole =
        isWhole
            ? " %s:%s @%d x%s"
                .formatted(
                    attributes.get("uid"),
                    attributes.get("gid"),
                    Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toMillis() / 1000,
                    attributes.get("nlink"))
            : "";
    return shown(type, mode & 07777, content) + whole;
  }

  private static String shown(ExpectedFile file, int links, boolean isWhole) {
    int mode = file.type == 's' ? 0777 : file.mode;
    String whole = isWhole ? " %d:%d @%d x%d".formatted(file.uid, file.uid, file.mtime, links) : "";
    return shown(file.type, mode, file.content) + whole;
  }

  private static String shown(char type, int mode, byte[] content) {
    return "%s %o %d %s"
        .formatted(type, mode, content.length, ContentDigest.of(content).substring(7, 19));
  }
}
