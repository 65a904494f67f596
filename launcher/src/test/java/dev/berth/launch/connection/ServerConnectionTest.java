package dev.berth.launch.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.NullNode;
import dev.berth.client.ApiException;
import dev.berth.client.NoAnswerException;
import dev.berth.launch.process.LaunchException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServerConnectionTest {
  private static final String REMEDY =
      "Correct the file, or name another kubeconfig; `berth up` and `berth server` write admin.kubeconfig into their data directory";

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          root:x:secret      | it is not YAML with clusters, users, contexts and a current-context
          '{a: ['            | it is not YAML with clusters, users, contexts and a current-context
          ''                 | it is not YAML with clusters, users, contexts and a current-context
          'kind: Config'     | its current-context is not among its contexts
          """)
  void aFileThatIsNoKubeconfigIsToldWithoutWhatIsInIt(String text, String why) throws IOException {
    assertRefused(text, why);
  }

  @Test
  void aContextThatIsMissingIsTold() throws IOException {
    assertRefused(
        kubeconfig("https://127.0.0.1:6443", "")
            .replace("current-context: c", "current-context: d"),
        "its current-context is not among its contexts");
  }

  @Test
  void aServerThatIsNoUrlIsTold() throws IOException {
    assertRefused(
        kubeconfig("https://not a url", ""),
        "its server is not a URL such as https://10.0.0.1:6443");
  }

  @Test
  void certificatesThatCannotBeReadAreTold() throws IOException {
    assertRefused(
        kubeconfig("https://127.0.0.1:6443", "certificate-authority: /nope/ca.crt"),
        "the certificate authority for https://127.0.0.1:6443/ cannot be read: /nope/ca.crt");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          401 | Use a kubeconfig of an administrator
          403 | Use a kubeconfig of an administrator
          404 | Check that the kubeconfig names an API server that has this
          409 | Correct what the server rejects, and try again
          422 | Correct what the server rejects, and try again
          429 | Try again in a moment; if that does not help, the server's log says what it lacks
          500 | Try again in a moment; if that does not help, the server's log says what it lacks
          503 | Try again in a moment; if that does not help, the server's log says what it lacks
          """)
  void whatToDoAboutARefusalFollowsFromItsReason(int code, String remedy) throws IOException {
    Path file = Files.writeString(directory.resolve("k"), kubeconfig("https://127.0.0.1:1", ""));
    try (ServerConnection connection = ServerConnection.open(file, "test")) {
      assertThat(
              connection.refusal(
                  "no tour", new ApiException(code, "Why", "words", NullNode.getInstance())))
          .hasMessage("no tour: words. " + remedy);
    }
  }

  @Test
  void noAnswerWantsAServer() throws IOException {
    Path file = Files.writeString(directory.resolve("k"), kubeconfig("https://127.0.0.1:1", ""));
    try (ServerConnection connection = ServerConnection.open(file, "test")) {
      assertThat(connection.server()).isEqualTo(URI.create("https://127.0.0.1:1"));
      assertThat(connection.refusal("no tour", new NoAnswerException("refused", null)))
          .hasMessage(
              "no tour: refused. Check that the server runs and that the kubeconfig names it");
    }
  }

  private void assertRefused(String text, String why) throws IOException {
    Path file = Files.writeString(directory.resolve("kubeconfig"), text);

    assertThatThrownBy(() -> ServerConnection.open(file, "test"))
        .isInstanceOf(LaunchException.class)
        .hasMessage("kubeconfig %s cannot be used: %s. %s".formatted(file, why, REMEDY));
  }

  private static String kubeconfig(String server, String authority) {
    return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: b
          cluster:
            server: %s
            %s
        users:
        - name: u
          user: {token: x}
        contexts:
        - name: c
          context: {cluster: b, user: u}
        current-context: c
        """
        .formatted(server, authority);
  }
}
