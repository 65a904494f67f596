package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A name server that does not answer takes ten seconds and more for each question: a start that
/// asks none is as fast without it.
final class NameLookupsIT {
  @TempDir private Path directory;

  @Test
  void upAsksNoNameServerUntilItIsReady() throws Exception {
    Path services = RecordingResolverProvider.services(directory.resolve("services"));
    try (BerthProcess berth =
        BerthProcess.startWith(
            services,
            List.of(
                "up",
                "--simulate",
                "--secure-port=0",
                "--bind-address=0.0.0.0",
                "--data-dir=" + directory.resolve("data")))) {
      berth.awaitGreeting();
      berth.terminate();

      assertThat(berth.errors()).doesNotContain(RecordingResolverProvider.MARK);
    }
  }

  @Test
  void aNameThatIsConfiguredIsAskedFor() throws Exception {
    Path services = RecordingResolverProvider.services(directory.resolve("services"));
    try (BerthProcess berth =
        BerthProcess.startWith(
            services,
            List.of(
                "certs",
                "--data-dir=" + directory,
                "--kubeconfig=" + kubeconfigOf("https://name.invalid:6443")))) {
      berth.exitCode();

      assertThat(berth.errors()).contains(RecordingResolverProvider.MARK + "name.invalid");
    }
  }

  private Path kubeconfigOf(String server) throws IOException {
    return Files.writeString(
        directory.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: c
        contexts: [{name: c, context: {cluster: c, user: u}}]
        clusters: [{name: c, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
        users: [{name: u, user: {token: none}}]
        """
            .formatted(server));
  }
}
