package dev.berth.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registration.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChosenRuntimesTest {
  private static final RuntimeDeclaration NAMED =
      new RuntimeDeclaration(
          "mine", WorkloadType.CONTAINER, new CriEndpoint.UnixSocket(Path.of("/mine.sock")));

  @TempDir private Path folder;

  @Test
  void namedOnesComeBeforeThoseThatRun() throws IOException {
    try (ServerSocketChannel _ = listen()) {
      ChosenRuntimes chosen = choose(RuntimeSource.ANY, List.of(NAMED));

      assertThat(chosen.services()).containsExactly(NAMED);
      assertThat(chosen.words()).isEqualTo("with mine");
      assertThat(chosen.own()).isFalse();
    }
  }

  @Test
  void thoseThatRunComeBeforeOneThatWouldHaveToBeStarted() throws IOException {
    try (ServerSocketChannel _ = listen()) {
      assertThat(choose(RuntimeSource.ANY, List.of()).words()).isEqualTo("with running");
    }
  }

  @Test
  void theSimulatorIsUsedWhenItIsAskedFor() throws IOException {
    try (ServerSocketChannel _ = listen()) {
      ChosenRuntimes chosen = choose(RuntimeSource.SIMULATED, List.of(NAMED));

      assertThat(chosen.services()).isEmpty();
      assertThat(chosen.words()).isEqualTo("SIMULATED: pods are pretended, no program runs");
    }
  }

  private ServerSocketChannel listen() throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    return channel.bind(UnixDomainSocketAddress.of(socket()));
  }

  private Path socket() {
    return folder.resolve("s");
  }

  private ChosenRuntimes choose(RuntimeSource source, List<RuntimeDeclaration> named) {
    AgentConfig config = new AgentConfig(folder, "", null, 0, named, AgentConfig.Traits.PLAIN);
    return ChosenRuntimes.choose(
        new LocalNode(config, source), new RuntimeFinder(Map.of("running", socket())));
  }
}
