package dev.berth.launch;

import dev.berth.api.Problem;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ClientConfig;
import dev.berth.client.ClientException;
import java.net.URI;
import java.nio.file.Path;

/// The way to the API server that a kubeconfig names.
public record ServerConnection(URI server, String authority, ApiClient client)
    implements AutoCloseable {

  /// Reads the kubeconfig; whether the server answers is seen with the first request.
  ///
  /// @param userAgent who asks, for the server's logs
  /// @throws LaunchException when it cannot be used
  public static ServerConnection open(Path kubeconfig, String userAgent) {
    try {
      ClientConfig config = ClientConfig.fromKubeconfig(kubeconfig).withUserAgent(userAgent);
      ApiClient client = ApiClient.open(config);
      return new ServerConnection(config.server(), config.authority(), client);
    } catch (IllegalArgumentException e) {
      throw new LaunchException(
          new Problem(
              "kubeconfig " + kubeconfig + " cannot be used",
              String.valueOf(e.getMessage()),
              "Correct it, or name another one; `berth up` and `berth server` write"
                  + " admin.kubeconfig into their data folder"),
          e);
    }
  }

  /// What a request that did not succeed means to whoever gave the command.
  ///
  /// @param what such as `no token can be made`
  public LaunchException refusal(String what, ClientException e) {
    boolean forbidden = e instanceof ApiException answer && (answer.code() / 100 == 4);
    return new LaunchException(
        new Problem(
            what,
            String.valueOf(e.getMessage()),
            forbidden
                ? "Name a kubeconfig of an administrator"
                : "Check that the server runs and that the kubeconfig names it"),
        e);
  }

  @Override
  public void close() {
    client.close();
  }
}
