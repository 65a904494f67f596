package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What the documents say about the code exists: each backticked type, path and package.
///
/// Paths may leave out directories by `...`, start anywhere in the tree, and omit `.java`.
final class DocumentNamesTest {
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern BACKTICKED = Pattern.compile("`([^`\n]+)`");
  private static final Pattern LINKED = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
  private static final Pattern TYPE =
      Pattern.compile("([a-z0-9]+\\.)*[A-Z][a-z0-9]+([A-Z][A-Za-z0-9]*)+(\\.[a-z]\\w*)?");
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w*)");
  private static final Pattern FILE =
      Pattern.compile(".*\\.(java|tsv|md|proto|sh|xml)|.*/[A-Z]\\w*");
  private static final Pattern PACKAGES = Pattern.compile("[a-z0-9]+(/[a-z0-9]+)+");
  private static final Set<String> DIRECTORIES_WITHOUT_SOURCES = Set.of(".git", "target");

  private static final Set<String> DOCUMENTS =
      Set.of("ARCHITECTURE.md", "README.md", "CONTRIBUTING.md", "docs/GLOSSARY.md");

  /// Patterns of names, other projects' types, and paths that are not of this repository.
  private static final Set<String> OTHER_WORDS =
      Set.of(
          ".proto",
          "GetContainerEvents",
          "KubeletConfiguration",
          "PrometheusRegistry",
          "ReentrantLock",
          "VolumeSource",
          "default/kubernetes",
          "docs/adr/NNNN-title.md",
          "extensions/v1beta1",
          "server/.../kinds/catalog/XKind.java",
          "target/guest");

  private final Sources sources = Sources.ofTheProject();
  private final Set<String> paths = paths(sources.root());

  @Test
  void eachTypeThatADocumentNamesExists() {
    Set<String> types =
        sources.all().stream()
            .flatMap(file -> DECLARED.matcher(sources.text(file)).results())
            .map(found -> found.group(1))
            .collect(Collectors.toSet());

    assertThat(named())
        .filteredOn(name -> TYPE.matcher(name.word()).matches())
        .filteredOn(name -> Stream.of(name.word().split("\\.", -1)).noneMatch(types::contains))
        .isEmpty();
  }

  @Test
  void eachPathThatADocumentNamesExists() {
    assertThat(named())
        .filteredOn(name -> isPath(name.word()))
        .filteredOn(this::isMissing)
        .isEmpty();
  }

  @Test
  void eachFileThatADocumentLinksToExists() {
    List<String> missing = new ArrayList<>();
    for (Path document : documents()) {
      LINKED
          .matcher(text(document))
          .results()
          .map(link -> document.resolveSibling(link.group(1)))
          .filter(target -> !Files.exists(target))
          .forEach(target -> missing.add(sources.name(document) + ": " + target.normalize()));
    }
    assertThat(missing).isEmpty();
  }

  private record Named(String document, String word) {}

  private List<Named> named() {
    return documents().stream()
        .flatMap(
            document ->
                BACKTICKED
                    .matcher(text(document))
                    .results()
                    .map(word -> new Named(sources.name(document), word.group(1))))
        .filter(name -> !OTHER_WORDS.contains(name.word()))
        .distinct()
        .toList();
  }

  private static boolean isPath(String word) {
    if (!word.matches("[\\w.*/-]+") || word.startsWith("/") || word.startsWith("*")) {
      return false;
    }
    return word.contains("/...")
        || FILE.matcher(word).matches()
        || PACKAGES.matcher(word).matches();
  }

  private boolean isMissing(Named name) {
    String word = name.word().replaceFirst("/$", "");
    String pattern =
        Stream.of(word.split("/", -1))
            .map(
                part -> part.equals("...") ? ".*" : Pattern.quote(part).replace("*", "\\E[^/]*\\Q"))
            .collect(Collectors.joining("/"));
    Pattern whole = Pattern.compile("(.*/)?" + pattern + "(\\.java)?");
    return paths.stream().noneMatch(path -> whole.matcher(path).matches());
  }

  private List<Path> documents() {
    return sources.documents().stream()
        .filter(
            document -> {
              String name = sources.name(document);
              return DOCUMENTS.contains(name) || name.startsWith("docs/checklists/");
            })
        .toList();
  }

  private String text(Path document) {
    return FENCED.matcher(sources.text(document)).replaceAll("");
  }

  /// Files and directories, relative to the root of the repository.
  private static Set<String> paths(Path root) {
    Set<String> found = new HashSet<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
              found.add(root.relativize(path).toString());
              return DIRECTORIES_WITHOUT_SOURCES.contains(String.valueOf(path.getFileName()))
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
              found.add(root.relativize(path).toString());
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }
}
