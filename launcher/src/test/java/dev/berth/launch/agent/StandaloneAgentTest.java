package dev.berth.launch.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.RuntimeCheck.Answer;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import dev.berth.launch.runtimes.KubeletCheck;
import dev.berth.launch.runtimes.RuntimeFinder;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StandaloneAgentTest {
  @TempDir private Path directory;

  @Test
  void aRuntimeThatWasFoundOnceIsAwaitedAfterARestartOfTheMachine() throws IOException {
    try (ServerSocketChannel _ = listen("containerd")) {
      assertThat(found()).containsExactly("containerd");
    }
    Files.delete(directory.resolve("containerd"));

    assertThat(found()).containsExactly("containerd");
    try (ServerSocketChannel _ = listen("crio")) {
      assertThat(found()).containsExactly("containerd", "crio");
    }
  }

  @Test
  void aNodeWithoutAnyAwaitsTheUsualOne() throws IOException {
    assertThat(found()).containsExactly("containerd");
    try (ServerSocketChannel _ = listen("crio")) {
      assertThat(found()).containsExactly("crio");
    }
  }

  @Test
  void aNodeToWhichOneWasAddedAwaitsNoOther() throws IOException {
    Path added = Files.createDirectories(directory.resolve("data/agent/runtimes.d"));
    Files.writeString(
        added.resolve("vms.yaml"), "name: vms\nworkloadType: vm\nendpoint: unix:///run/vms.sock\n");

    assertThat(found()).isEmpty();
  }

  @Test
  void thoseThatAreNamedCountAlone() throws IOException {
    try (ServerSocketChannel _ = listen("crio")) {
      found();
    }
    RuntimeDeclaration named =
        new RuntimeDeclaration(
            "mine", WorkloadType.CONTAINER, new CriEndpoint.UnixSocket(Path.of("/mine.sock")));

    assertThat(found(List.of(named))).containsExactly("mine");
    Files.delete(directory.resolve("crio"));
    assertThat(found()).containsExactly("containerd");
  }

  private List<String> found() {
    return found(List.of());
  }

  private List<String> found(List<RuntimeDeclaration> named) {
    AgentConfig config =
        new AgentConfig(
            directory.resolve("data"), "node-1", null, 0, named, AgentConfig.Traits.PLAIN);
    Map<String, Path> places = new LinkedHashMap<>();
    places.put("containerd", directory.resolve("containerd"));
    places.put("crio", directory.resolve("crio"));
    RuntimeFinder finder =
        new RuntimeFinder(places, _ -> new Answer("", List.of(), "", ""), KubeletCheck.NONE);
    return StandaloneAgent.complete(config, finder).runtimes().stream()
        .map(RuntimeDeclaration::name)
        .sorted()
        .toList();
  }

  private ServerSocketChannel listen(String name) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    return channel.bind(UnixDomainSocketAddress.of(directory.resolve(name)));
  }
}
