package dev.berth.launch.connection;

import dev.berth.api.Problem;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ClientConfig;
import dev.berth.client.ClientException;
import dev.berth.launch.process.LaunchException;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/// A connection to the API server of a kubeconfig.
public record ServerConnection(URI server, String authority, ApiClient client)
    implements AutoCloseable {

  /// Reads the kubeconfig. Whether the server answers shows with the first request.
  ///
  /// @param userAgent the name of the client in the server's logs
  /// @throws LaunchException when the file cannot be used
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
              "Correct the file, or name another kubeconfig; `berth up` and `berth server` write"
                  + " admin.kubeconfig into their data directory"),
          e);
    }
  }

  /// Opens a connection as [#open] does, for a long time: it follows changes of the kubeconfig and
  /// of the files that it names.
  public static ServerConnection openReloading(Path kubeconfig, String userAgent) {
    return openReloading(kubeconfig, userAgent, UnaryOperator.identity());
  }

  /// As the other one.
  ///
  /// @param adaptation makes what is used of what the kubeconfig contains
  public static ServerConnection openReloading(
      Path kubeconfig, String userAgent, UnaryOperator<ClientConfig> adaptation) {
    open(kubeconfig, userAgent).close();
    ClientConfig config = ClientConfig.fromKubeconfig(kubeconfig);
    return new ServerConnection(
        config.server(),
        config.authority(),
        ApiClient.openReloading(
            kubeconfig, given -> adaptation.apply(given).withUserAgent(userAgent)));
  }

  /// The refusal that a failed request means for the user of a command.
  ///
  /// @param what such as `the token cannot be created`
  public LaunchException refusal(String what, ClientException e) {
    return new LaunchException(new Problem(what, String.valueOf(e.getMessage()), remedy(e)), e);
  }

  private static String remedy(ClientException failure) {
    if (!(failure instanceof ApiException answer)) {
      return "Check that the server runs and that the kubeconfig names it";
    }
    return switch (answer.code()) {
      case 401, 403 -> "Use a kubeconfig of an administrator";
      case 404 -> "Check that the kubeconfig names an API server that has this";
      case 408, 429, 500, 502, 503, 504 ->
          "Try again in a moment; if that does not help, the server's log says what it lacks";
      default -> "Correct what the server rejects, and try again";
    };
  }

  @Override
  public void close() {
    client.close();
  }
}
