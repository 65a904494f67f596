package dev.berth.launch.runtimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.RuntimeCheck.Answer;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import dev.berth.launch.containerd.RuntimeSocket;
import dev.berth.launch.process.Closeables;
import dev.berth.registry.configuration.RegistryAccess;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChosenRuntimesTest {
  private static final RuntimeDeclaration NAMED =
      new RuntimeDeclaration(
          "mine", WorkloadType.CONTAINER, new CriEndpoint.UnixSocket(Path.of("/mine.sock")));

  @TempDir private Path directory;
  private Answer answer = new Answer("", List.of(), "", "");
  private KubeletCheck kubelets = KubeletCheck.NONE;
  private List<RuntimeDeclaration> startable = List.of(NAMED);

  @Test
  void namedOnesComeBeforeThoseThatRun() throws IOException {
    try (ServerSocketChannel _ = listen()) {
      ChosenRuntimes chosen = choose(RuntimeSource.ANY, List.of(NAMED));

      assertThat(chosen.services()).containsExactly(NAMED);
      assertThat(chosen.words()).isEqualTo("with mine");
    }
  }

  @Test
  void thoseThatRunComeBeforeOneThatWouldHaveToBeStarted() throws IOException {
    try (ServerSocketChannel _ = listen()) {
      assertThat(choose(RuntimeSource.ANY, List.of()).words()).isEqualTo("with running");
    }
  }

  @Test
  void itsOwnComesFirstAsLongAsItHasPods() throws IOException {
    Path own = Files.createDirectories(directory.resolve("containerd/containerd"));
    Files.writeString(own.resolve("config.toml"), "");
    try (ServerSocketChannel _ = listen()) {
      assertThat(choose(RuntimeSource.ANY, List.of()).words()).isEqualTo("with running");
      Files.createDirectories(own.resolve("containers/runc/k8s.io/0123"));

      ChosenRuntimes chosen = choose(RuntimeSource.ANY, List.of());

      assertThat(chosen.services())
          .extracting(RuntimeDeclaration::name)
          .containsExactly("mine", "running");
      assertThat(chosen.words())
          .isEqualTo(
              "with one of its own, and with running, which runs on this machine; mine stays the default"
                  + " because it has pods");
    }
  }

  @Test
  void anotherOneOfTheSameNameGetsAnotherName() throws IOException {
    Files.createDirectories(directory.resolve("containerd/containerd/containers/runc/k8s.io/0123"));
    Files.writeString(directory.resolve("containerd/containerd/config.toml"), "");
    try (ServerSocketChannel _ = listen()) {
      ChosenRuntimes chosen = choose("mine", RuntimeSource.ANY, List.of());

      assertThat(chosen.services())
          .extracting(RuntimeDeclaration::name)
          .containsExactly("mine", "system-mine");
    }
  }

  @Test
  void oneThatDoesNotAnswerIsNamedAndLeftAlone() throws IOException {
    answer = refused("UNIMPLEMENTED: unknown service runtime.v1.RuntimeService");
    try (ServerSocketChannel _ = listen()) {
      ChosenRuntimes chosen = choose(RuntimeSource.ANY, List.of());

      assertThat(chosen.services()).containsExactly(NAMED);
      assertThat(chosen.words())
          .isEqualTo(
              "with one of its own (running at unix://%s is not used, because it does not answer CRI:"
                      .formatted(socket())
                  + " UNIMPLEMENTED: unknown service runtime.v1.RuntimeService; enable its CRI"
                  + " plugin: for containerd, remove cri from disabled_plugins in"
                  + " /etc/containerd/config.toml, and restart it)");
    }
  }

  @Test
  void oneThatHasPodsIsNeverReplacedWhileItIsSilentOrAway() throws IOException {
    answer = refused("DEADLINE_EXCEEDED");
    new UsedRuntimes(directory.resolve("agent")).remember("node-1", List.of(running()));
    assertThat(choose(RuntimeSource.ANY, List.of()).services()).containsExactly(NAMED);
    Files.createDirectories(directory.resolve("agent/pods/a-pod"));

    ChosenRuntimes chosen = choose(RuntimeSource.ANY, List.of());

    assertThat(chosen.services()).containsExactly(running());
    assertThat(chosen.words())
        .isEqualTo(
            "with running (running at unix://%s does not answer yet and its pods wait: DEADLINE_EXCEEDED; check it with `systemctl status running`, and start it)"
                .formatted(socket()));
  }

  @Test
  void oneWithoutANetworkIsTakenOnlyWhereThereIsNoOther() throws IOException {
    answer = new Answer("", List.of("runc"), "NetworkPluginNotReady: cni is missing", "");
    try (ServerSocketChannel _ = listen()) {
      ChosenRuntimes chosen = choose(RuntimeSource.ANY, List.of());
      assertThat(chosen.services()).containsExactly(NAMED);
      assertThat(chosen.words())
          .isEqualTo(
              "with one of its own (running at unix://%s is not used, because it has no network for"
                      .formatted(socket())
                  + " pods: NetworkPluginNotReady: cni is missing; configure one, for containerd in"
                  + " /etc/cni/net.d)");

      startable = List.of();
      assertThat(choose(RuntimeSource.ANY, List.of()).services()).containsExactly(running());
    }
  }

  @Test
  void oneThatAKubeletUsesIsNamedAndLeftAlone() throws IOException {
    kubelets = new KubeletCheck(directory, _ -> List.of("kube-system/etcd"));
    try (ServerSocketChannel _ = listen()) {
      ChosenRuntimes chosen = choose(RuntimeSource.ANY, List.of());
      assertThat(chosen.services()).containsExactly(NAMED);
      assertThat(chosen.words())
          .contains(
              "with one of its own (running at unix://" + socket() + " is not used, because 1")
          .contains("a kubelet stops all pods in its runtime that it does not know")
          .contains("--private-containerd", "--ignore-kubelet");

      startable = List.of();
      assertThat(choose(RuntimeSource.ANY, List.of()).services()).isEmpty();
    }
  }

  @Test
  void handlersOfOneThatRunsBecomeClassesAndAMissingImageIsTold() throws IOException {
    answer = new Answer("", List.of("crun", "runc"), "", "registry.k8s.io/pause:3.6");
    try (ServerSocketChannel _ = listen()) {
      ChosenRuntimes chosen = choose(RuntimeSource.ANY, List.of());

      assertThat(chosen.handlers()).containsExactly("crun", "runc");
      assertThat(chosen.words())
          .isEqualTo(
              "with running (runtime classes: crun, runc) (running at unix://%s has no image"
                      .formatted(socket())
                  + " registry.k8s.io/pause:3.6, which it pulls for its first pod; without a registry"
                  + " load it with `berth images load`, or use --private-containerd)");
    }
  }

  @Test
  void theSimulatorIsUsedWhenItIsAskedFor() throws IOException {
    try (ServerSocketChannel _ = listen()) {
      ChosenRuntimes chosen = choose(RuntimeSource.SIMULATED, List.of(NAMED));

      assertThat(chosen.services()).isEmpty();
      assertThat(chosen.words()).isEqualTo("SIMULATED: no containers are started");
    }
  }

  @Test
  void oneThatDoesNotAnswerIsDeclaredAllTheSame() {
    ChosenRuntimes chosen =
        ChosenRuntimes.started(
            List.of(
                own("containerd", List.of("runc"), ""),
                own("containerd-crun", List.of("crun"), "it does not answer yet")),
            new Closeables());

    assertThat(chosen.services())
        .extracting(RuntimeDeclaration::name)
        .containsExactly("containerd", "containerd-crun");
    assertThat(chosen.handlers()).containsExactly("runc", "crun");
    assertThat(chosen.words())
        .isEqualTo(
            "with private containerd, containerd-crun (runtime classes: runc, crun)"
                + " (containerd-crun is NOT READY and its pods wait: it does not answer yet)");
  }

  @Test
  void podsOfAContainerdThatWasStartedHereAreNeverPretended() {
    ChosenRuntimes chosen =
        ChosenRuntimes.leftOrSimulated(
            List.of(own("containerd", List.of(), "")), "ctr is missing", "to start one");

    assertThat(chosen.services())
        .extracting(RuntimeDeclaration::name)
        .containsExactly("containerd");
    assertThat(chosen.words())
        .isEqualTo(
            "with private containerd of an earlier start (a containerd that has exited is not"
                + " restarted: ctr is missing)");
  }

  @Test
  void theSimulatorHasToDoWhereNothingWasEverStarted() {
    ChosenRuntimes chosen =
        ChosenRuntimes.leftOrSimulated(List.of(), "ctr is missing", "to start one ctr is missing");

    assertThat(chosen.services()).isEmpty();
    assertThat(chosen.words())
        .isEqualTo(
            "SIMULATED: no containers are started (no runtime runs on this machine, and to start one"
                + " ctr is missing)");
  }

  private RuntimeSocket own(String name, List<String> handlers, String obstacle) {
    return new RuntimeSocket(name, directory.resolve(name), handlers, obstacle);
  }

  private static Answer refused(String why) {
    return new Answer(why, List.of(), "", "");
  }

  private RuntimeDeclaration running() {
    return new RuntimeDeclaration(
        "running", WorkloadType.CONTAINER, new CriEndpoint.UnixSocket(socket()));
  }

  private ServerSocketChannel listen() throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    return channel.bind(UnixDomainSocketAddress.of(socket()));
  }

  private Path socket() {
    return directory.resolve("s");
  }

  private ChosenRuntimes choose(RuntimeSource source, List<RuntimeDeclaration> named) {
    return choose("running", source, named);
  }

  /// @param running the name of one that runs here
  private ChosenRuntimes choose(
      String running, RuntimeSource source, List<RuntimeDeclaration> named) {
    return ChosenRuntimes.choose(
        new RuntimeChoice(named, source, directory, RegistryAccess.USUAL),
        new RuntimeFinder(Map.of(running, socket()), _ -> answer, kubelets),
        _ -> new ChosenRuntimes(startable, List.of(), "with one of its own", new Closeables()));
  }
}
