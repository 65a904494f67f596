package dev.berth.launch;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Problem;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/// A node's agent as a process of its own.
public final class StandaloneAgent implements AutoCloseable {
  private final Parts parts;
  private final String words;

  private StandaloneAgent(Parts parts, String words) {
    this.parts = parts;
    this.words = words;
  }

  /// Starts the agent; it finds the server when that is there.
  public static StandaloneAgent start(AgentConfig given, Path kubeconfig)
      throws InterruptedException {
    Parts parts = new Parts();
    ClientConfig server = ClientConfig.fromKubeconfig(kubeconfig).withUserAgent("berth-agent");
    AgentConfig config = complete(given);
    try {
      ApiClient client = parts.add(ApiClient.open(server));
      parts.add(RunningAgent.start(config, client, server.server(), Clock.systemUTC()));
      return new StandaloneAgent(parts, config.nodeName() + " of " + server.server());
    } catch (IOException e) {
      parts.close();
      throw new LaunchException(
          new Problem(
              "the agent of node " + config.nodeName() + " cannot start",
              String.valueOf(e.getMessage()),
              "Make %s writable for this user, or choose another folder with --data-dir"
                  .formatted(config.dataDir())),
          e);
    } catch (RuntimeException e) {
      parts.close();
      throw e;
    }
  }

  /// With the name of this machine and its runtimes where nothing was said about them.
  private static AgentConfig complete(AgentConfig given) {
    AgentConfig named = given.nodeName().isEmpty() ? given.named(Hostname.ofThisMachine()) : given;
    List<RuntimeDeclaration> runtimes =
        given.runtimes().isEmpty() ? RuntimeFinder.usual().find() : given.runtimes();
    return named.with(runtimes);
  }

  @Override
  public void close() {
    parts.close();
  }

  @Override
  public String toString() {
    return words;
  }
}
