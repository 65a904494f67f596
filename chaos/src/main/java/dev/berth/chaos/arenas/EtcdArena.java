package dev.berth.chaos.arenas;

import dev.berth.bench.servers.BenchCredentials;
import dev.berth.chaos.faults.FaultOption;
import dev.berth.chaos.load.StoreLoad;
import dev.berth.chaos.machine.ManagedProcess;
import dev.berth.chaos.machine.NetworkPort;
import dev.berth.chaos.machine.ProcessClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Two servers and an etcd cluster of three members. Each process can be killed, stopped or
/// disconnected. One member may fail and the cluster must go on; with two faults at once it may
/// lose its majority, and must recover.
public final class EtcdArena implements AttackArena {
  private static final int MEMBERS = 3;

  private final ArenaContext context;
  private final List<EtcdMember> members = new ArrayList<>();
  private final List<ServerUnderAttack> servers = new ArrayList<>();
  private @Nullable StoreLoad load;

  public EtcdArena(ArenaContext context) throws IOException {
    this.context = context;
    List<NetworkPort> ports = new ArrayList<>();
    for (int i = 1; i <= MEMBERS; i++) {
      // All ports come first: each member is started with the addresses of all.
      ports.add(context.hub().add("etcd-" + i));
    }
    Path directory = context.directory();
    ports.forEach(port -> members.add(EtcdMember.of(directory, port, ports)));
    String urls = ports.stream().map(EtcdMember::client).collect(Collectors.joining(","));
    for (String name : List.of("api-1", "api-2")) {
      List<String> flags =
          List.of(
              "--store=etcd",
              "--etcd-servers=" + urls,
              // Both servers must have one authority: clients of one also check answers of the
              // other.
              "--cert-dir=" + directory.resolve("certificates"),
              "--no-scheduler",
              "--no-controllers");
      servers.add(new ServerUnderAttack(context, name, directory.resolve(name), flags));
    }
  }

  @Override
  public void start() throws IOException {
    for (EtcdMember member : members) {
      member.process().start();
    }
    for (ServerUnderAttack server : servers) {
      server.start();
    }
    load = StoreLoad.start(credentials(), context.calm(), context.log(), context.seed());
  }

  @Override
  public List<FaultOption> faults() {
    List<FaultOption> faults = new ArrayList<>();
    for (EtcdMember member : members) {
      faults.add(ProcessFaults.kill(member.process()));
      faults.add(ProcessFaults.stop(member.process()));
      faults.add(ProcessFaults.cut(member.port()));
    }
    faults.add(ProcessFaults.hostileClient(context, servers.getFirst(), List.of(), List.of()));
    for (ServerUnderAttack server : servers) {
      faults.add(ProcessFaults.kill(server.process()));
      faults.add(ProcessFaults.stop(server.process()));
      faults.add(ProcessFaults.cut(server.port()));
      if (ProcessClock.isAvailable()) {
        faults.add(ProcessFaults.jump(server.process().name(), server.clock()));
      }
    }
    return faults;
  }

  @Override
  public List<ManagedProcess> processes() {
    return Stream.concat(
            members.stream().map(EtcdMember::process),
            servers.stream().map(ServerUnderAttack::process))
        .toList();
  }

  @Override
  public String obstacle() {
    return servers.stream()
        .map(ServerUnderAttack::obstacle)
        .filter(obstacle -> !obstacle.isEmpty())
        .findFirst()
        .orElse("");
  }

  @Override
  public void check() {
    if (load != null) {
      load.check(credentials());
    }
    servers.forEach(ServerUnderAttack::checkBounds);
  }

  private List<BenchCredentials> credentials() {
    return servers.stream().map(ServerUnderAttack::credentials).toList();
  }

  @Override
  public void close() throws IOException {
    if (load != null) {
      load.close();
    }
    for (ServerUnderAttack server : servers) {
      server.close();
    }
    for (EtcdMember member : members) {
      member.close();
    }
  }
}
