package dev.berth.agent.runtimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.CriEndpoint;
import dev.berth.sim.SimConfig;
import dev.berth.sim.SimContext;
import dev.berth.sim.Simulator;
import dev.berth.sim.profile.SimProfile;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RuntimeCheckTest {
  @TempDir private Path directory;

  @Test
  void aRuntimeAnswersAndNothingElseDoes() {
    CriEndpoint endpoint = new CriEndpoint.InProcess("checked");
    try (SimContext world = new SimContext(InstantSource.system(), new Random(1));
        Simulator _ =
            Simulator.start(
                SimConfig.of("one", endpoint, SimProfile.named("linux/amd64").orElseThrow()),
                world)) {
      RuntimeCheck.Answer answer = RuntimeCheck.ask(endpoint);
      assertThat(answer.refusal()).isEmpty();
      assertThat(answer.withoutNetwork()).isEmpty();
      assertThat(answer.handlers()).contains("runc");
    }
    assertThat(RuntimeCheck.ask(new CriEndpoint.UnixSocket(directory.resolve("nobody"))).refusal())
        .isNotEmpty();
  }
}
