package dev.berth.registry.placement;

import static dev.berth.registry.placement.TestNodes.image;
import static dev.berth.registry.placement.TestNodes.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.platforms.PlatformMismatch;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What admission writes about images, and which nodes the scheduler excludes by it.
final class PodImagePlatformsTest {
  private static final ObjectNode W2022 =
      (ObjectNode)
          json(
              "{'metadata':{'labels':{'kubernetes.io/os':'windows','kubernetes.io/arch':'amd64',"
                  + "'node.kubernetes.io/windows-build':'10.0.20348'}}}");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "windows/amd64 10.0.20348.9 | | ``",
        "windows/amd64 10.0.17763.9 | | image web:1 has no entry for windows/amd64 10.0.20348; it"
            + " has windows/amd64 10.0.17763.9",
        // Nobody reported the handler: it may use Hyper-V.
        "windows/amd64 10.0.17763.9 | hyper | ``",
        "windows/amd64 10.0.26100.9 | hyper | image web:1 has no entry for windows/amd64 10.0.20348"
            + " or older under Hyper-V; it has windows/amd64 10.0.26100.9",
        "linux/amd64 | | image web:1 has no entry for windows/amd64 10.0.20348; it has linux/amd64",
        "linux/arm/v7, windows/amd64 | | ``",
      })
  void nodesThatDoNotRunAnImageAreExcluded(String platforms, String handler, String expected) {
    PodImagePlatforms pod =
        read(PodImagePlatforms.write(List.of(image("web:1", platforms.split(", ")))));

    String found =
        pod.mismatch(HandlerPlatforms.parse(W2022), handler == null ? "" : handler)
            .map(PlatformMismatch::message)
            .orElse("");

    assertThat(found).isEqualTo(expected);
  }

  @Test
  void platformOfTheHandlerCounts() {
    ObjectNode node = W2022.deepCopy();
    node.withObject("/metadata/annotations")
        .put(
            NodePlatforms.SERVICES_ANNOTATION,
            json("{'main':{'workloadType':'container','default':true,'handlers':['arm'],"
                    + "'platforms':{'arm':'linux/arm64'}}}")
                .toString());
    PodImagePlatforms pod = read(PodImagePlatforms.write(List.of(image("web:1", "linux/arm64"))));

    assertThat(pod.mismatch(HandlerPlatforms.parse(node), "arm")).isEmpty();
    assertThat(pod.mismatch(HandlerPlatforms.parse(node), "")).isPresent();
  }

  @Test
  void nodeWithoutAPlatformRunsNothingButWhatItsHandlersMayRun() {
    HandlerPlatforms unknown = HandlerPlatforms.parse(json("{'metadata':{'name':'new'}}"));
    PodImagePlatforms pod = read(PodImagePlatforms.write(List.of(image("web:1", "linux/amd64"))));

    assertThat(pod.mismatch(unknown, "")).isEmpty();
    assertThat(PodImagePlatforms.isUnknown(unknown, "")).isTrue();
    assertThat(pod.mismatch(unknown, "kata")).isEmpty();
  }

  @Test
  void imageWithAnUnknownPlatformIsLeftOut() {
    IndexEntry unknown = new IndexEntry("sha256:1", "", 1, null, Map.of());

    assertThat(
            PodImagePlatforms.write(
                List.of(
                    new ImageEntries("any", new ImageIndex(List.of(unknown))),
                    image("web", "linux/amd64"))))
        .isEqualTo("{\"web\":[\"linux/amd64\"]}");
  }

  @Test
  void entryThatNeedsAFeatureRunsNowhere() {
    ImagePlatform platform =
        new ImagePlatform("windows", "amd64", "", "10.0.20348.1", Set.of("win32k", "special"));
    IndexEntry entry = new IndexEntry("sha256:1", "", 1, platform, Map.of());
    PodImagePlatforms pod =
        read(
            PodImagePlatforms.write(
                List.of(new ImageEntries("web", new ImageIndex(List.of(entry))))));

    assertThat(pod.mismatch(HandlerPlatforms.parse(W2022), "").map(PlatformMismatch::message))
        .contains(
            "image web has no entry for windows/amd64 10.0.20348; it has windows/amd64 10.0.20348.1"
                + " with special");
  }

  @Test
  void annotationIsBoundedAndImagesThatDoNotFitInExcludeNothing() {
    String[] many =
        IntStream.range(0, 5_000)
            .mapToObj(i -> "windows/amd64 10.0.20348." + i)
            .toArray(String[]::new);

    String text =
        PodImagePlatforms.write(List.of(image("large", many), image("web", "linux/amd64")));

    assertThat(text).isEqualTo("{\"web\":[\"linux/amd64\"]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"broken", "[1, 2]", "17", "{}"})
  void otherTextExcludesNothing(String text) {
    assertThat(read(text).mismatch(HandlerPlatforms.parse(W2022), "")).isEmpty();
  }

  @Test
  void annotationThatIsTooLongIsNotRead() {
    String forged = "{\"web\":[\"%s\"]}".formatted("x".repeat(PodImagePlatforms.MOST_CHARACTERS));

    assertThat(read(forged)).isEqualTo(PodImagePlatforms.NONE);
  }

  private static PodImagePlatforms read(String text) {
    return PodImagePlatforms.of(
        JsonNodeFactory.instance.objectNode().put(PodImagePlatforms.ANNOTATION, text));
  }
}
