package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Names and words that a reader from this field knows; `docs/GLOSSARY.md` has the list.
final class NamesTest {
  private static final Pattern ONE_WORD = Pattern.compile("[A-Z][a-z0-9]*");

  /// Words that the field uses alone.
  private static final Set<String> WORDS_OF_THE_FIELD =
      Set.of(
          "Accelerator",
          "Authenticator",
          "Authorizer",
          "Backoff",
          "Closeables",
          "Impersonation",
          "Informer",
          "Main",
          "Problem",
          "Quantity",
          "Reflector",
          "Scheduler",
          "Simulator",
          "Store",
          "Subresource",
          "Taint",
          "Toleration",
          "Verb");

  /// Banned everywhere, tests included.
  private static final Pattern BANNED = Pattern.compile("(?i)\\b(folders?|anew|pretended)\\b");

  /// Banned in main code, in its identifiers, comments and messages, and in documents.
  private static final Pattern BANNED_IN_MAIN =
      Pattern.compile(
          "(?i)\\b(un)?(told|tells?|telling|news|troubles?|mend(s|ed|ing)?|the middle of)\\b"
              + "|(?-i:\\b(told|tells?|news|trouble)[A-Z]|[a-z](Told|Tells?|News|Troubles?)(\\b|[A-Z]))");

  private static final Pattern LITERAL_OR_COMMENT =
      Pattern.compile("(?s)\"\"\".*?\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\"|//[^\n]*|/\\*.*?\\*/");

  private static final Pattern DECLARATION =
      Pattern.compile(
          "(?m)^\\s*(?:(?:public|private|protected|static|final|sealed|non-sealed|abstract)\\s+)*"
              + "(?:class|interface|enum|record|@interface)\\s+([A-Z]\\w*)");

  /// Names that several types of a module share, each reviewed: cases of sealed types such as
  /// `Failed`, and private records. The list may only shrink.
  private static final Map<String, Set<String>> SHARED_NAMES =
      Map.of(
          "controllers",
          Set.of("Seen"),
          "server",
          Set.of(
              "Change",
              "Column",
              "Entry",
              "Item",
              "Key",
              "Operation",
              "Parsed",
              "Path",
              "Request",
              "Resource",
              "Rule",
              "Stream",
              "Type",
              "Writing"),
          "chaos",
          Set.of("Change"),
          "agent",
          Set.of(
              "Add",
              "Answer",
              "Bound",
              "Done",
              "Failed",
              "Failure",
              "Found",
              "Gone",
              "Held",
              "ImageDisk",
              "Images",
              "Key",
              "Outcome",
              "Question",
              "Refused",
              "Resume",
              "Unknown",
              "Verdict"),
          "api",
          Set.of("Requirement"),
          "scheduler",
          Set.of("Place", "Weighted"),
          "runtime-sim",
          Set.of("Active", "Command", "Entry"),
          "client",
          Set.of("Added", "OpenWatch"),
          "bench",
          Set.of("Rates", "Requests", "Row", "Times"));

  private static final int FILES_OF_A_PACKAGE = 25;

  private final Sources sources = Sources.ofTheProject();

  @Test
  void aTypeHasANameOfTwoWordsUnlessTheFieldUsesOne() {
    assertThat(types(sources.main()))
        .filteredOn(name -> ONE_WORD.matcher(name).matches())
        .filteredOn(name -> !WORDS_OF_THE_FIELD.contains(name))
        .as("name them by two words, or add the field's own word to the list")
        .isEmpty();
  }

  @Test
  void aSimpleNameExistsOnceInAModule() {
    Map<String, Long> counts =
        sources.main().stream()
            .filter(source -> !source.endsWith("package-info.java"))
            .collect(
                Collectors.groupingBy(
                    source -> sources.name(source).replaceFirst("/.*/", "/"),
                    Collectors.counting()));

    assertThat(counts.entrySet()).filteredOn(count -> count.getValue() > 1).isEmpty();
  }

  /// Nested types count: a simple name has one meaning in a module, or stands in the list.
  @Test
  void aNestedTypeSharesItsNameWithNoOtherType() {
    Map<String, Set<String>> shared = new TreeMap<>();
    for (Map.Entry<String, List<String>> names : declaredTypes().entrySet()) {
      Set<String> seen = new HashSet<>();
      Set<String> twice = new TreeSet<>();
      names.getValue().stream().filter(name -> !seen.add(name)).forEach(twice::add);
      if (!twice.isEmpty()) {
        shared.put(names.getKey(), twice);
      }
    }

    assertThat(shared)
        .as("rename one of them; a name that no longer exists twice leaves the list")
        .isEqualTo(SHARED_NAMES);
  }

  /// The simple names of all types of main code, nested ones included, by module.
  private Map<String, List<String>> declaredTypes() {
    Map<String, List<String>> names = new TreeMap<>();
    for (Path source : sources.main()) {
      String code = LITERAL_OR_COMMENT.matcher(sources.text(source)).replaceAll("");
      List<String> found =
          DECLARATION.matcher(code).results().map(declaration -> declaration.group(1)).toList();
      names
          .computeIfAbsent(sources.name(source).replaceFirst("/.*", ""), _ -> new ArrayList<>())
          .addAll(found);
    }
    return names;
  }

  @Test
  void textsUseTheWordsOfTheGlossary() {
    assertThat(sources.all())
        .filteredOn(source -> !source.endsWith("NamesTest.java"))
        .filteredOn(source -> BANNED.matcher(sources.text(source)).find())
        .extracting(sources::name)
        .isEmpty();
  }

  @Test
  void mainCodeAndDocumentsUseTheWordsOfTheGlossary() {
    assertThat(sources.main())
        .filteredOn(source -> BANNED_IN_MAIN.matcher(sources.text(source)).find())
        .extracting(sources::name)
        .isEmpty();
    assertThat(sources.documents())
        .filteredOn(document -> !document.endsWith("docs/GLOSSARY.md"))
        .filteredOn(
            document -> {
              String text = sources.text(document);
              return BANNED.matcher(text).find() || BANNED_IN_MAIN.matcher(text).find();
            })
        .extracting(sources::name)
        .isEmpty();
  }

  /// Never fails, because a package that grew is no fault by itself.
  @Test
  void largePackagesAreListed() {
    Map<String, Long> sizes =
        sources.main().stream()
            .collect(
                Collectors.groupingBy(
                    source -> sources.name(source.resolveSibling("")), Collectors.counting()));
    sizes.forEach(
        (name, files) -> {
          if (files > FILES_OF_A_PACKAGE) {
            System.out.println("size warning: %s has %d files".formatted(name, files));
          }
        });
    assertThat(sizes).isNotEmpty();
  }

  private static List<String> types(List<Path> files) {
    return files.stream()
        .map(file -> String.valueOf(file.getFileName()).replace(".java", ""))
        .filter(name -> !name.equals("package-info"))
        .toList();
  }
}
