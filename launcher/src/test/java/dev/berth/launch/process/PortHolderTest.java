package dev.berth.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PortHolderTest {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  @TempDir private Path proc;

  /// Port 6443 (192B) listens with inode 77; port 6444 (192C) is only a connection.
  @BeforeEach
  void aMachineWithOneListener() throws IOException {
    Files.createDirectories(proc.resolve("net"));
    Files.writeString(
        proc.resolve("net/tcp"),
        """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:192B 00000000:0000 0A 00000000:00000000 00:00000000 00000000   105        0 77 1 0
           1: 0100007F:192C 0100007F:9999 01 00000000:00000000 00:00000000 00000000   105        0 78 1 0
        """);
  }

  @Test
  void theHoldersIdAndCommandAreNamed() throws IOException {
    process(4711, "socket:[77]", "etcd\0--name\0a\0");
    process(4712, "socket:[78]", "other\0");

    assertThat(new PortHolder(proc).describe(LOOPBACK, 6443))
        .contains("process 4711 (etcd --name a)");
  }

  @Test
  void aHolderThatMayNotBeSeenIsNamedByItsUser() {
    assertThat(new PortHolder(proc).describe(LOOPBACK, 6443)).contains("a process of user id 105");
  }

  @Test
  void aFreePortHasNoHolder() throws IOException {
    process(4712, "socket:[78]", "other\0");

    assertThat(new PortHolder(proc).describe(LOOPBACK, 6444)).isEmpty();
    assertThat(new PortHolder(proc.resolve("missing")).describe(LOOPBACK, 6443)).isEmpty();
  }

  @Test
  void onlyWhoListensOnTheSameAddressOrOnAllIsInTheWay() throws IOException {
    process(4711, "socket:[77]", "etcd\0");
    PortHolder holder = new PortHolder(proc);

    assertThat(holder.describe(InetAddress.ofLiteral("10.0.0.1"), 6443)).isEmpty();
    assertThat(holder.describe(InetAddress.ofLiteral("0.0.0.0"), 6443)).isPresent();
    Files.writeString(
        proc.resolve("net/tcp6"),
        "0: 00000000000000000000000000000000:192B 0:0 0A 0:0 0:0 0 105 0 77 1 0\n");
    assertThat(holder.describe(InetAddress.ofLiteral("10.0.0.1"), 6443)).isPresent();
  }

  @Test
  void aSocketInTheFileSystemHasAHolderToo() throws IOException {
    Files.writeString(
        proc.resolve("net/unix"),
        """
        Num       RefCount Protocol Flags    Type St Inode Path
        0000: 00000002 00000000 00010000 0001 01 79 /data/runtimes.sock~
        0000: 00000002 00000000 00010000 0001 01 80
        """);
    PortHolder holder = new PortHolder(proc);
    assertThat(holder.describe(Path.of("/data/runtimes.sock"))).isEmpty();

    process(4713, "socket:[79]", "berth\0agent\0");
    assertThat(holder.describe(Path.of("/data/runtimes.sock")))
        .contains("process 4713 (berth agent)");
    assertThat(holder.describe(Path.of("/data/other.sock"))).isEmpty();
    assertThat(holder.processes(Set.of(Path.of("/data/runtimes.sock~"), Path.of("/data/other"))))
        .containsExactly(proc.resolve("4713"));
  }

  @Test
  void anotherServerIsNamedByItsCommandAndNotByItsOptions() throws IOException {
    process(
        4711,
        "socket:[77]",
        "/jdk/bin/java\0-Xmx1g\0-cp\0a.jar\0dev.berth.cli.Main\0server\0--data-dir\0/d\0");

    assertThat(new PortHolder(proc).describe(LOOPBACK, 6443))
        .contains("process 4711 (berth server --data-dir /d)");
  }

  private void process(int id, String socket, String command) throws IOException {
    Path descriptors = Files.createDirectories(proc.resolve(id + "/fd"));
    Files.createSymbolicLink(descriptors.resolve("3"), Path.of(socket));
    Files.writeString(proc.resolve(id + "/cmdline"), command);
  }
}
