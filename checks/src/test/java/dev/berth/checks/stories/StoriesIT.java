package dev.berth.checks.stories;

import static dev.berth.checks.stories.StoryCluster.assertRuns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.launch.rehearsal.MultiArchImages;
import dev.berth.launch.rehearsal.SimulatedNode.Plan;
import dev.berth.launch.rehearsal.WindowsUpgrade;
import dev.berth.sim.profile.SimHandler;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// The stories of KEP-1301 (Windows) and KEP-585 (scheduling), with their own YAML.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoriesIT {
  private static final SimHandler OLDER_WINDOWS = WindowsUpgrade.OLDER_WINDOWS;
  private static final String HYPER_V = OLDER_WINDOWS.name();

  private StoryCluster cluster;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    cluster =
        StoryCluster.start(
            directory,
            MultiArchImages.CATALOGUE,
            List.of(
                Plan.linux("linux-1", "runc", "gvisor", "kata-containers"),
                Plan.linux("linux-gpu", "runc").labelled("accelerator", "gpu"),
                Plan.linux("sandbox-1", "runc", "gvisor")
                    .labelled("pool", "sandboxed")
                    .tainted("sandboxed.kubernetes.io"),
                Plan.windows("win-1809", "10.0.17763.805", Plan.plain("docker")),
                Plan.windows(
                        "win-1903",
                        "10.0.18362.418",
                        Plan.plain("docker"),
                        Plan.plain("default"),
                        OLDER_WINDOWS)
                    .labelled("accelerator", "gpu")));
  }

  @AfterEach
  void clear() {
    cluster.clear();
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /// KEP-1301, story 1.
  @Test
  void aClassSelectsAReleaseOfWindows() {
    cluster.create("kep-1301-story-1-windows-1809.yaml");
    cluster.create("kep-1301-story-1-windows-1903.yaml");

    cluster.pod("older", "runtimeClassName: windows-1809");
    cluster.pod("newer", "runtimeClassName: windows-1903\nos: {name: windows}");
    cluster.pod("other", "");

    Pod older = cluster.running("older");
    assertRuns(older, "win-1809", "docker");
    assertThat(cluster.imageOf(older))
        .isEqualTo(MultiArchImages.id("windows/amd64", "10.0.17763.805"));
    Pod newer = cluster.running("newer");
    assertRuns(newer, "win-1903", "docker");
    assertThat(cluster.imageOf(newer))
        .isEqualTo(MultiArchImages.id("windows/amd64", "10.0.18362.418"));
    assertThat(cluster.running("other").getSpec().getNodeName()).startsWith("linux-");
  }

  /// KEP-1301, story 2.
  @Test
  void aReleaseOfWindowsIsReplacedByHyperVOnANewerOne() {
    cluster.create("kep-1301-story-1-windows-1809.yaml");
    cluster.deployment("app", "runtimeClassName: windows-1809");
    Pod first = cluster.replicas("app", 1).getFirst();
    assertRuns(first, "win-1809", "docker");

    cluster.create("kep-1301-story-2-windows-1809-hyperv.yaml");
    cluster.pod("trial", "runtimeClassName: windows-1809-hyperv");
    assertRuns(cluster.running("trial"), "win-1903", HYPER_V);

    cluster.update("kep-1301-story-2-windows-1809.yaml");
    assertRuns(cluster.running(first.getMetadata().getName()), "win-1809", "docker");
    cluster.pod("other", "runtimeClassName: windows-1809");
    assertRuns(cluster.running("other"), "win-1903", HYPER_V);

    assertThat(cluster.drain("win-1809"))
        .extracting(pod -> pod.getMetadata().getName())
        .containsExactly(first.getMetadata().getName());
    Pod moved = cluster.replicas("app", 1).getFirst();
    assertRuns(moved, "win-1903", HYPER_V);
    assertThat(cluster.imageOf(moved))
        .isEqualTo(MultiArchImages.id("windows/amd64", "10.0.17763.805"));

    cluster.create("kep-1301-story-2-windows-1903.yaml");
    cluster.pod("native", "runtimeClassName: windows-1903");
    assertRuns(cluster.running("native"), "win-1903", "default");
  }

  /// KEP-1301, story 3, and its scenario of one name that is pulled for two handlers.
  @Test
  void theHandlerChoosesTheEntryOfAMultiArchImage() {
    cluster.create("kep-1301-story-2-windows-1809.yaml");
    cluster.create("kep-1301-story-2-windows-1903.yaml");

    cluster.pod("compatible", "runtimeClassName: windows-1809");
    cluster.pod("current", "runtimeClassName: windows-1903");
    cluster.pod("linux", "");

    Pod compatible = cluster.running("compatible");
    Pod current = cluster.running("current");
    assertThat(compatible.getSpec().getNodeName()).isEqualTo(current.getSpec().getNodeName());
    assertThat(cluster.imageOf(compatible))
        .isEqualTo(MultiArchImages.id("windows/amd64", "10.0.17763.805"));
    assertThat(cluster.imageOf(current))
        .isEqualTo(MultiArchImages.id("windows/amd64", "10.0.18362.418"));
    assertThat(cluster.imageOf(cluster.running("linux")))
        .isEqualTo(MultiArchImages.id("linux/amd64", ""));
    // The index as the design shows it has no entry for this build.
    cluster.pod("unfit", "runtimeClassName: windows-1903", MultiArchImages.AS_DESIGNED);
    assertThat(cluster.waiting("unfit"))
        .contains(
            "image golang:1.13 has no entry for windows/amd64 10.0.18362; it has linux/amd64,")
        .contains("windows/amd64 10.0.17134.1069, windows/amd64 10.0.17763.805; ")
        .contains("could run linux/amd64, 10.0.17763");
  }

  /// KEP-585, user stories: choosing a runtime among those that are configured.
  @Test
  void developersChooseAmongTheClassesOfTheDesign() {
    cluster.create("kep-585-classes.yaml");
    cluster.create("kep-585-sandboxed-nginx.yaml");
    cluster.pod("kata", "runtimeClassName: kata-containers");
    cluster.pod("native", "runtimeClassName: native\ntolerations: [{operator: Exists}]");

    assertThat(cluster.replicas("sandboxed-nginx", 2))
        .allSatisfy(replica -> assertRuns(replica, "linux-1", "gvisor"));
    assertRuns(cluster.running("kata"), "linux-1", "kata-containers");
    // It tolerates Windows nodes, but none of them offers runc.
    Pod runc = cluster.running("native");
    assertRuns(runc, runc.getSpec().getNodeName(), "runc");
    assertThat(runc.getSpec().getNodeName()).doesNotStartWith("win-");
  }

  /// KEP-585, story "Windows".
  @Test
  void windowsAndLinuxWorkloadsKeepToTheirNodes() {
    cluster.runtimeClass(
        """
        metadata: {name: windows}
        handler: docker
        scheduling:
          nodeSelector: {kubernetes.io/os: windows}
          tolerations: [{key: windows, operator: Exists, effect: NoSchedule}]
        """);
    for (int i = 0; i < 4; i++) {
      cluster.pod("linux-app-" + i, "");
      cluster.pod("windows-app-" + i, "runtimeClassName: windows");
    }

    for (int i = 0; i < 4; i++) {
      assertThat(cluster.running("linux-app-" + i).getSpec().getNodeName()).startsWith("linux-");
      assertThat(cluster.running("windows-app-" + i).getSpec().getNodeName()).startsWith("win-");
    }
  }

  /// KEP-585, story "Sandboxed Nodes".
  @Test
  void untrustedWorkloadsHaveNodesOfTheirOwn() {
    cluster.runtimeClass(
        """
        metadata: {name: untrusted}
        handler: gvisor
        scheduling:
          nodeSelector: {pool: sandboxed}
          tolerations: [{key: sandboxed.kubernetes.io, operator: Exists, effect: NoSchedule}]
        """);
    for (int i = 0; i < 3; i++) {
      cluster.pod("sensitive-" + i, "");
      cluster.pod("untrusted-" + i, "runtimeClassName: untrusted");
    }

    for (int i = 0; i < 3; i++) {
      assertThat(cluster.running("sensitive-" + i).getSpec().getNodeName()).startsWith("linux-");
      assertRuns(cluster.running("untrusted-" + i), "sandbox-1", "gvisor");
    }
  }

  /// KEP-585, goals: other constraints and the class's are intersected.
  @Test
  void aSelectorForProcessorsOfGraphicsAndAClassAreIntersected() {
    cluster.create("kep-1301-story-2-windows-1903.yaml");
    cluster.runtimeClass(
        """
        metadata: {name: linux}
        handler: runc
        scheduling: {nodeSelector: {kubernetes.io/os: linux}}
        """);
    cluster.runtimeClass("metadata: {name: gvisor}\nhandler: gvisor\n");

    cluster.pod("trained", "runtimeClassName: linux\nnodeSelector: {accelerator: gpu}");
    cluster.pod("rendered", "runtimeClassName: windows-1903\nnodeSelector: {accelerator: gpu}");
    cluster.pod("nowhere", "runtimeClassName: gvisor\nnodeSelector: {accelerator: gpu}");

    assertRuns(cluster.running("trained"), "linux-gpu", "runc");
    assertRuns(cluster.running("rendered"), "win-1903", "default");
    assertThat(cluster.unschedulable("nowhere"))
        .isEqualTo(
            "0/5 nodes are available: 1 node(s) didn't match Pod's node affinity/selector,"
                + " 1 node(s) don't offer RuntimeClass \"gvisor\" (handler gvisor),"
                + " 1 node(s) had untolerated taint {sandboxed.kubernetes.io: true},"
                + " 2 node(s) had untolerated taint {windows: true}.");
    assertThatThrownBy(
            () ->
                cluster.pod(
                    "torn", "runtimeClassName: linux\nnodeSelector: {kubernetes.io/os: windows}"))
        .hasMessageContaining("conflict");
  }
}
