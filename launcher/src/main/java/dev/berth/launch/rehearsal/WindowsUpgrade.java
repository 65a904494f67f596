package dev.berth.launch.rehearsal;

import dev.berth.launch.agent.NodeDown;
import dev.berth.launch.rehearsal.RehearsalReport.Story;
import dev.berth.launch.rehearsal.SimulatedNode.Plan;
import dev.berth.launch.rehearsal.StoryRecorder.Mismatch;
import dev.berth.launch.rehearsal.StoryRecorder.Outcome;
import dev.berth.sim.profile.SimHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/// The three stories of KEP-1301 on simulated nodes, with the RuntimeClasses of the KEP: classes
/// instead of node selectors, an upgrade of Windows by Hyper-V isolation, and one image name for
/// several releases. Story 2 goes on to Windows Server 2022 and 2025, which the KEP does not know.
public final class WindowsUpgrade {
  /// The handler of KEP-1301's containerd configuration for containers of an older Windows.
  public static final SimHandler OLDER_WINDOWS =
      new SimHandler(
          "containerd-hyperv-17763",
          false,
          "io.containerd.runhcs.v1",
          Map.of(
              SimHandler.PLATFORM, "windows/amd64",
              SimHandler.OS_VERSION, "10.0.17763",
              SimHandler.ISOLATION, "1"),
          false,
          false);

  private static final String CLASS_1809 = document("kep-1301-story-1-windows-1809.yaml");
  private static final String HYPER_V = "hyperv";
  private static final String PROCESS = "process";
  private static final String OF_1809 = "windows/amd64 10.0.17763.805";
  private static final String OF_1903 = "windows/amd64 10.0.18362.418";
  private static final String OF_2022 = "windows/amd64 10.0.20348.2966";

  /// Of the index as the KEP shows it, on a node of 1903.
  private static final String UNFIT =
      "image golang:1.13 has no entry for windows/amd64 10.0.18362; it has linux/amd64, "
          + "linux/arm/v7, linux/arm64/v8, linux/386, linux/ppc64le, linux/s390x, "
          + "windows/amd64 10.0.14393.3274, windows/amd64 10.0.17134.1069, "
          + OF_1809
          + "; RuntimeClass windows-1809 on node win-1903 could run 10.0.17763;"
          + " nodes linux-1, win-1809, win-2019 could run linux/amd64, 10.0.17763";

  private static final List<String> OLD_NODES = List.of("win-1809", "win-2019");
  private static final int REPLICAS = 2;
  private static final String HCS_PROCESS = "runhcs-wcow-process";
  private static final String HCS_17763 = "runhcs-wcow-hypervisor-17763";

  private static final PodExpectation ON_1809 =
      new PodExpectation(OLD_NODES, "docker", PROCESS, OF_1809);
  private static final PodExpectation UNDER_HYPER_V =
      new PodExpectation(List.of("win-1903"), OLDER_WINDOWS.name(), HYPER_V, OF_1809);
  private static final PodExpectation ON_1903 =
      new PodExpectation(List.of("win-1903"), "default", PROCESS, OF_1903);

  private static final String SELECTORS =
      """
      nodeSelector:
        kubernetes.io/os: windows
        kubernetes.io/arch: amd64
        node.kubernetes.io/windows-build: '10.0.17763'
      tolerations:
      - effect: NoSchedule
        key: windows
        operator: Equal
        value: "true"
      """;

  private final RehearsalCluster cluster;
  private final Consumer<String> progress;

  private WindowsUpgrade(RehearsalCluster cluster, Consumer<String> progress) {
    this.cluster = cluster;
    this.progress = progress;
  }

  /// Plays all stories in a cluster of their own.
  ///
  /// @param directory an empty one, for everything that the cluster keeps; its path is short enough
  ///   for unix sockets
  public static RehearsalReport play(Path directory, Consumer<String> progress)
      throws InterruptedException {
    progress.accept("start a control plane and %d simulated nodes".formatted(nodes().size()));
    try (RehearsalCluster cluster =
        RehearsalCluster.start(directory, MultiArchImages.CATALOGUE, nodes())) {
      WindowsUpgrade upgrade = new WindowsUpgrade(cluster, progress);
      List<Story> stories = new ArrayList<>();
      stories.add(upgrade.easySelection());
      cluster.clear();
      stories.add(upgrade.forwardCompatibility());
      cluster.clear();
      stories.add(upgrade.multiArchImages());
      return RehearsalReport.of(stories);
    } finally {
      // Memory of pods' volumes is mounted where the agent runs as root.
      nodes().forEach(node -> NodeDown.run(directory.resolve(node.name()), Duration.ZERO, _ -> {}));
    }
  }

  private static List<Plan> nodes() {
    return List.of(
        Plan.linux("linux-1", "runc"),
        Plan.windows("win-1809", "10.0.17763.805", Plan.plain("docker")),
        Plan.windows("win-2019", "10.0.17763.6775", Plan.plain("docker")),
        Plan.windows(
                "win-1903",
                "10.0.18362.418",
                Plan.plain("docker"),
                Plan.plain("default"),
                OLDER_WINDOWS)
            .ofContainerd(),
        Plan.windows("win-2022", "10.0.20348.2966"),
        Plan.windows("win-2025", "10.0.26100.2605"));
  }

  /// Story 1: developers name a class, and administrators keep selectors and tolerations in it.
  private Story easySelection() {
    StoryRecorder story = new StoryRecorder(progress);
    String withSelectors = pod("by-selectors", SELECTORS, MultiArchImages.NEWER);
    String withClass = pod("by-class", "runtimeClassName: windows-1809\n", MultiArchImages.NEWER);
    story.step(
        "before: a pod names its nodes by selectors and tolerations",
        () -> {
          cluster.create(withSelectors);
          return Outcome.of(List.of(ON_1809.check(cluster.running("by-selectors"))));
        });
    story.step(
        "RuntimeClasses windows-1809 and windows-1903 are created",
        () -> {
          cluster.create(CLASS_1809);
          cluster.create(document("kep-1301-story-1-windows-1903.yaml"));
          return new Outcome(List.of(), List.of());
        });
    story.step(
        "after: pods name a class; a pod without a class runs on Linux",
        () -> {
          cluster.create(withClass);
          cluster.create(pod("newer", "runtimeClassName: windows-1903\n", MultiArchImages.NEWER));
          cluster.create(pod("linux", "", MultiArchImages.NEWER));
          PodExpectation on1903 =
              new PodExpectation(List.of("win-1903"), "docker", PROCESS, OF_1903);
          PodExpectation onLinux =
              new PodExpectation(List.of("linux-1"), "runc", "", "linux/amd64");
          return Outcome.of(
              List.of(
                  ON_1809.check(cluster.running("by-class")),
                  on1903.check(cluster.running("newer")),
                  onLinux.check(cluster.running("linux"))));
        });
    story.step(
        "lines of YAML are counted",
        () -> {
          long before = withSelectors.lines().count();
          long after = withClass.lines().count();
          if (after >= before) {
            throw new Mismatch("a class takes %d lines, selectors %d".formatted(after, before));
          }
          return Outcome.of(
              "a pod has %d lines with selectors and %d with a class: %d lines saved per workload"
                  .formatted(before, after, before - after));
        });
    return story.story("Story 1: a RuntimeClass selects a release of Windows");
  }

  /// Story 2: a class is switched to Hyper-V isolation, so that containers of an older Windows run
  /// on newer nodes and pods need no change.
  private Story forwardCompatibility() {
    StoryRecorder story = new StoryRecorder(progress);
    story.step(
        "before: a Deployment of RuntimeClass windows-1809 runs on nodes of Windows Server 2019",
        () -> {
          cluster.create(CLASS_1809);
          cluster.create(deployment("app", "runtimeClassName: windows-1809\n"));
          return Outcome.of(replicas(ON_1809));
        });
    story.step(
        "RuntimeClass windows-1809-hyperv is created; a pod tries it",
        () -> {
          cluster.create(document("kep-1301-story-2-windows-1809-hyperv.yaml"));
          cluster.create(
              pod("trial", "runtimeClassName: windows-1809-hyperv\n", MultiArchImages.NEWER));
          return Outcome.of(List.of(UNDER_HYPER_V.check(cluster.running("trial"))));
        });
    story.step(
        "RuntimeClass windows-1809 is switched: running pods stay, new ones run under Hyper-V",
        () -> {
          cluster.update(document("kep-1301-story-2-windows-1809.yaml"));
          cluster.create(pod("new", "runtimeClassName: windows-1809\n", MultiArchImages.NEWER));
          List<PodPlace> pods = new ArrayList<>(replicas(ON_1809));
          pods.add(UNDER_HYPER_V.check(cluster.running("new")));
          return Outcome.of(pods);
        });
    story.step(
        "after: nodes win-1809 and win-2019 are drained, and the Deployment moves",
        () -> moved(OLD_NODES, UNDER_HYPER_V));
    story.step(
        "RuntimeClass windows-1903 runs current containers on the same node without Hyper-V",
        () -> {
          cluster.create(document("kep-1301-story-2-windows-1903.yaml"));
          cluster.create(pod("native", "runtimeClassName: windows-1903\n", MultiArchImages.NEWER));
          return Outcome.of(List.of(ON_1903.check(cluster.running("native"))));
        });
    story.step(
        "beyond the KEP: the class is switched to Windows Server 2022, and win-1903 is drained",
        () -> {
          cluster.update(windowsClass("windows-1809", HCS_17763, "10.0.20348"));
          return moved(
              List.of("win-1903"),
              new PodExpectation(List.of("win-2022"), HCS_17763, HYPER_V, OF_1809));
        });
    story.step(
        "beyond the KEP: the class is switched to Windows Server 2025, and win-2022 is drained",
        () -> {
          cluster.update(windowsClass("windows-1809", HCS_17763, "10.0.26100"));
          return moved(
              List.of("win-2022"),
              new PodExpectation(List.of("win-2025"), HCS_17763, HYPER_V, OF_1809));
        });
    return story.story("Story 2: Hyper-V isolation runs containers of an older Windows");
  }

  /// Drains nodes and checks the places that the pods of the Deployment get afterwards.
  private Outcome moved(List<String> drained, PodExpectation expectation) {
    List<String> facts = new ArrayList<>();
    for (String node : drained) {
      List<String> evicted = cluster.drain(node);
      facts.add(
          "node %s: evicted %s"
              .formatted(node, evicted.isEmpty() ? "no pods" : String.join(", ", evicted)));
    }
    return new Outcome(facts, replicas(expectation));
  }

  private List<PodPlace> replicas(PodExpectation expectation) {
    return cluster.replicas("app", REPLICAS).stream().map(expectation::check).toList();
  }

  /// Story 3: one image name serves several releases; the handler of the pod decides about the
  /// entry.
  private Story multiArchImages() {
    StoryRecorder story = new StoryRecorder(progress);
    story.step(
        "pods of two classes on one node, and one on Linux, pull the same name at the same time",
        () -> {
          cluster.create(document("kep-1301-story-2-windows-1809.yaml"));
          cluster.create(document("kep-1301-story-2-windows-1903.yaml"));
          cluster.create(
              pod("compatible", "runtimeClassName: windows-1809\n", MultiArchImages.NEWER));
          cluster.create(pod("current", "runtimeClassName: windows-1903\n", MultiArchImages.NEWER));
          cluster.create(pod("linux", "", MultiArchImages.NEWER));
          PodExpectation onLinux =
              new PodExpectation(List.of("linux-1"), "runc", "", "linux/amd64");
          return Outcome.of(
              List.of(
                  UNDER_HYPER_V.check(cluster.running("compatible")),
                  ON_1903.check(cluster.running("current")),
                  onLinux.check(cluster.running("linux"))));
        });
    story.step(
        "it takes no runtime that knows handlers in image calls: the agent names the entries",
        () ->
            Outcome.of(
                "node win-1903 has %s, which pulls for the host; its pods above have two entries of %s"
                    .formatted(cluster.runtime("win-1903"), MultiArchImages.NEWER)));
    story.step(
        "an index without an entry for the node's release is refused with a reason",
        () -> {
          cluster.create(
              pod("unfit", "runtimeClassName: windows-1903\n", MultiArchImages.AS_DESIGNED));
          String message = cluster.pullFailure("unfit", UNFIT);
          return Outcome.of(
              "pod unfit (image %s): %s".formatted(MultiArchImages.AS_DESIGNED, message));
        });
    story.step(
        "Windows Server 2022 and 2025 run the entry of 2022 without Hyper-V",
        () -> {
          List<PodPlace> pods = new ArrayList<>();
          for (Map.Entry<String, String> host :
              List.of(Map.entry("2022", "10.0.20348"), Map.entry("2025", "10.0.26100"))) {
            String name = "windows-" + host.getKey();
            cluster.create(windowsClass(name, HCS_PROCESS, host.getValue()));
            cluster.create(
                pod(
                    "on-" + host.getKey(),
                    "runtimeClassName: " + name + "\n",
                    MultiArchImages.NEWER));
            PodExpectation expected =
                new PodExpectation(List.of("win-" + host.getKey()), HCS_PROCESS, PROCESS, OF_2022);
            pods.add(expected.check(cluster.running("on-" + host.getKey())));
          }
          return Outcome.of(pods);
        });
    return story.story("Story 3: the handler chooses the entry of a multi-arch image");
  }

  /// A class for another release, made from the document of the KEP.
  private static String windowsClass(String name, String handler, String build) {
    return CLASS_1809
        .replace("name: windows-1809", "name: " + name)
        .replace("handler: 'docker'", "handler: '%s'".formatted(handler))
        .replace("10.0.17763", build);
  }

  private static String pod(String name, String spec, String image) {
    return """
    apiVersion: v1
    kind: Pod
    metadata:
      name: %s
    spec:
      terminationGracePeriodSeconds: 0
      containers:
      - name: main
        image: %s
    """
            .formatted(name, image)
        + spec.indent(2);
  }

  private static String deployment(String name, String spec) {
    return """
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: %1$s
    spec:
      replicas: %2$d
      selector:
        matchLabels: {app: %1$s}
      template:
        metadata:
          labels: {app: %1$s}
        spec:
          terminationGracePeriodSeconds: 0
          containers:
          - name: main
            image: %3$s
    """
            .formatted(name, REPLICAS, MultiArchImages.NEWER)
        + spec.indent(6);
  }

  private static String document(String file) {
    try (InputStream stream = WindowsUpgrade.class.getResourceAsStream("/stories/" + file)) {
      return new String(
          Objects.requireNonNull(stream, file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(file, e);
    }
  }
}
