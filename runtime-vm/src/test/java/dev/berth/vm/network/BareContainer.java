package dev.berth.vm.network;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Stands for a container that containerd attached to the same network: a namespace with the device
/// of the plugins.
final class BareContainer implements AutoCloseable {
  private final NetworkCommands commands;
  private final Path namespace;
  private final PluginCalls calls;
  private final JsonNode result;

  BareContainer(NetworkCommands commands, Path directory, Path plugins) throws IOException {
    this.commands = commands;
    this.namespace = commands.namespace("container");
    this.calls =
        new PluginCalls(
            new PluginDirectories(List.of(plugins)),
            new NetworkProgram(directory, PodNetworkConfig.USUAL_LIMIT),
            new PluginAttachment(
                new NetworkConfigurations(directory.resolve("conf")).first(),
                new PodIdentity("container", "shop", "api", "u2", List.of())),
            namespace.toString());
    this.result = calls.add();
  }

  Path namespace() {
    return namespace;
  }

  String address() {
    return result.path("ips").path(0).path("address").asText().replaceFirst("/.*", "");
  }

  @Override
  public void close() throws IOException {
    calls.remove(Optional.of(result));
    commands.run("umount", "--lazy", namespace.toString());
  }
}
