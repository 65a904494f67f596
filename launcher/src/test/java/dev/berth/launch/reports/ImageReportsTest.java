package dev.berth.launch.reports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.launch.reports.ImageReports.HandlerFit;
import dev.berth.registry.placement.CandidateClass;
import dev.berth.registry.placement.HandlerPlatforms;
import dev.berth.registry.placement.NodePlatforms;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What each handler does with an image.
final class ImageReportsTest {
  private static final ImagePlatform ARM = new ImagePlatform("linux", "arm64", "", "");
  private static final ImagePlatform AMD = new ImagePlatform("linux", "amd64", "", "");

  @Test
  void everyHandlerIsShownWithItsEntryOrTheReason() {
    ImageIndex index = new ImageIndex(List.of(new IndexEntry("sha256:arm", "", 7, ARM, Map.of())));
    NodePlatforms node =
        new NodePlatforms(
            "n1",
            Map.of(),
            List.of(),
            new HandlerPlatforms(
                AMD,
                Map.of("", List.of(TargetPlatform.of(AMD)), "emu", List.of(TargetPlatform.of(ARM))),
                Map.of()));

    CandidateClass emulated = new CandidateClass("arm", "emu", Map.of());

    assertThat(ImageReports.fits("web:1", index, List.of(node), List.of(emulated)))
        .containsExactly(
            new HandlerFit(
                "n1",
                "",
                List.of(),
                false,
                "",
                "",
                "image web:1 has no entry for linux/amd64; it has linux/arm64; RuntimeClass arm on"
                    + " node n1 could run linux/arm64"),
            new HandlerFit("n1", "emu", List.of("arm"), true, "linux/arm64", "sha256:arm", ""));
  }
}
