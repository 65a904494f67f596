package dev.berth.chaos.arenas;

import dev.berth.chaos.machine.ManagedProcess;
import dev.berth.chaos.machine.NetworkPort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A member of an etcd cluster, in a network namespace of its own.
record EtcdMember(NetworkPort port, ManagedProcess process) implements AutoCloseable {
  static EtcdMember of(Path directory, NetworkPort port, List<NetworkPort> all) {
    String name = port.name();
    List<String> command =
        List.of(
            "etcd",
            "--name=" + name,
            "--data-dir=" + directory.resolve(name),
            "--listen-client-urls=" + client(port),
            "--advertise-client-urls=" + client(port),
            "--listen-peer-urls=" + peer(port),
            "--initial-advertise-peer-urls=" + peer(port),
            "--initial-cluster="
                + all.stream()
                    .map(one -> one.name() + "=" + peer(one))
                    .collect(Collectors.joining(",")),
            // Longer than etcd's default: a busy machine must not look like a lost leader.
            "--heartbeat-interval=200",
            "--election-timeout=2000");
    return new EtcdMember(
        port,
        new ManagedProcess(name, port.inside(command), Map.of(), directory.resolve(name + ".log")));
  }

  static String client(NetworkPort port) {
    return "http://" + port.address() + ":2379";
  }

  private static String peer(NetworkPort port) {
    return "http://" + port.address() + ":2380";
  }

  @Override
  public void close() throws IOException {
    process.close();
    port.remove();
  }
}
