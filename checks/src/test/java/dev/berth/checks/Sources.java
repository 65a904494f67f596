package dev.berth.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The project's source files and poms, as text.
record Sources(Path root, List<String> moduleDirectories) {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  Sources {
    moduleDirectories = List.copyOf(moduleDirectories);
  }

  /// Maven runs the tests in the module's directory, one below the root.
  static Sources ofTheProject() {
    Path root = Path.of("..").toAbsolutePath().normalize();
    return new Sources(root, readModules(root.resolve("pom.xml")));
  }

  List<Path> all() {
    return Stream.concat(main().stream(), test().stream()).toList();
  }

  List<Path> main() {
    return below("src/main/java", file -> file.toString().endsWith(".java"));
  }

  List<Path> test() {
    return below("src/test/java", file -> file.toString().endsWith(".java"));
  }

  List<Path> poms() {
    return Stream.concat(Stream.of(""), moduleDirectories.stream())
        .map(directory -> root.resolve(directory).resolve("pom.xml"))
        .toList();
  }

  /// Markdown of the root, of `docs` and of the benchmarks' results.
  List<Path> documents() {
    return Stream.concat(
            list(root).stream(),
            Stream.of("docs", "bench/results").flatMap(name -> walk(root.resolve(name)).stream()))
        .filter(file -> file.toString().endsWith(".md"))
        .sorted()
        .toList();
  }

  /// The path as a reader of the repository knows it.
  String name(Path path) {
    return root.relativize(path).toString();
  }

  String text(Path path) {
    return read(path);
  }

  /// Text of a file in the same directory; empty when there is none.
  String siblingText(Path path, String name) {
    Path sibling = path.resolveSibling(name);
    return Files.exists(sibling) ? text(sibling) : "";
  }

  private List<Path> below(String directory, Predicate<Path> wanted) {
    return moduleDirectories.stream()
        .map(module -> root.resolve(module).resolve(directory))
        .filter(Files::isDirectory)
        .flatMap(start -> walk(start).stream())
        .filter(wanted)
        .toList();
  }

  private static List<Path> walk(Path start) {
    try (Stream<Path> files = Files.walk(start)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> list(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> readModules(Path pom) {
    return MODULE.matcher(read(pom)).results().map(MatchResult::group).map(Sources::inner).toList();
  }

  private static String inner(String element) {
    return element.substring(element.indexOf('>') + 1, element.lastIndexOf('<'));
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
