package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Rules of the house that show in the text of sources and poms.
final class HouseRulesTest {
  private static final Pattern EMPTY_NAME =
      Pattern.compile(".*(Utils?|Impl|Helpers?|Manager)\\.java");
  private static final List<String> KUBERNETES_TERMS = List.of("/FieldManager.java");
  private static final Pattern OPEN_END = Pattern.compile("\\b(TODO|FIXME|XXX)\\b(?!\\(#\\d+\\))");

  private final Sources sources = Sources.ofTheProject();

  @Test
  void everyModuleHasItsLineInTheTable() {
    assertThat(sources.moduleDirectories())
        .containsExactlyInAnyOrderElementsOf(
            Modules.TABLE.stream().map(Modules::directory).distinct().toList());
  }

  @Test
  void everyPackageIsNullMarkedAndSaysWhatItOwns() {
    List<String> unmarked =
        sources.main().stream()
            .filter(
                source -> {
                  String info = sources.siblingText(source, "package-info.java");
                  return !info.contains("@NullMarked") || !info.contains("///");
                })
            .map(source -> sources.name(source.resolveSibling("")))
            .distinct()
            .toList();

    assertThat(unmarked).as("packages without a documented, @NullMarked package-info").isEmpty();
  }

  @Test
  void namesSayWhatAThingIs() {
    assertThat(sources.all())
        .extracting(sources::name)
        .filteredOn(name -> EMPTY_NAME.matcher(name).matches())
        .filteredOn(name -> KUBERNETES_TERMS.stream().noneMatch(name::endsWith))
        .isEmpty();
  }

  @Test
  void openEndsAreInTheIssuesNotInTheCode() {
    assertThat(sources.all())
        .filteredOn(source -> !source.endsWith("HouseRulesTest.java"))
        .filteredOn(source -> OPEN_END.matcher(sources.text(source)).find())
        .extracting(sources::name)
        .isEmpty();
  }

  @Test
  void testsAwaitConditionsInsteadOfSleeping() {
    assertThat(sources.test())
        .filteredOn(source -> !source.endsWith("HouseRulesTest.java"))
        .filteredOn(source -> sources.text(source).contains("Thread.sleep("))
        .extracting(sources::name)
        .isEmpty();
  }

  @Test
  void noModuleUsesAMockLibrary() {
    assertThat(sources.poms())
        .filteredOn(
            pom -> sources.text(pom).matches("(?is).*(mockito|easymock|jmockit|powermock).*"))
        .extracting(sources::name)
        .isEmpty();
  }
}
