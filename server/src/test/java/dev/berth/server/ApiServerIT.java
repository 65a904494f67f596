package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ApiServerIT {
  @TempDir private Path directory;

  /// As on a disk that is full, where it can be read but not replaced.
  @Test
  void aKubeconfigThatCannotBeReplacedDoesNotKeepTheServerFromStarting() throws Exception {
    Path kubeconfig = Files.createDirectory(directory.resolve("admin.kubeconfig"));
    Files.createFile(kubeconfig.resolve("in-the-way"));

    try (TestServer server = TestServer.start(directory)) {
      URI ready = URI.create(server.url() + "/readyz");
      assertThat(
              server
                  .admin()
                  .send(HttpRequest.newBuilder(ready).build(), BodyHandlers.ofString())
                  .body())
          .isEqualTo("ok");

      // It is tried again until it succeeds.
      Files.delete(kubeconfig.resolve("in-the-way"));
      Files.delete(kubeconfig);
      server.renewCertificates();
      assertThat(kubeconfig).content().contains(server.url());
    }
  }
}
