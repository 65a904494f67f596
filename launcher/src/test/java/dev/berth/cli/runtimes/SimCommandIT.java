package dev.berth.cli.runtimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Main;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth sim` as people start it.
final class SimCommandIT {
  @Test
  void itServesUntilItIsStopped(@TempDir Path directory) throws Exception {
    Path config = directory.resolve("fleet.yaml");
    Files.writeString(
        config,
        """
        services:
        - {name: "linux-{n}", endpoint: "unix://%1$s/{n}.sock", replicas: 2}
        - {name: win, endpoint: unix://%1$s/win.sock, profile: windows/amd64, adminEndpoint: unix://%1$s/admin.sock}
        """
            .formatted(directory));
    Process process =
        new ProcessBuilder(
                List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Main.class.getName(),
                    "sim",
                    "--config",
                    config.toString()))
            .redirectErrorStream(true)
            .start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      StringBuilder greeting = new StringBuilder();
      String line = out.readLine();
      while (line != null && !line.startsWith("Stop ")) {
        greeting.append(line).append('\n');
        line = out.readLine();
      }
      assertThat(greeting.toString())
          .contains(
              "Simulating 3 runtime services.",
              "linux-1   unix://" + directory + "/1.sock   linux/amd64",
              "windows/amd64 10.0.20348.2340",
              "curl --unix-socket " + directory + "/admin.sock http://sim/");
      assertThat(get(directory.resolve("admin.sock"))).contains("\"name\" : \"win\"");
      process.toHandle().destroy();
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(directory.resolve("0.sock")).doesNotExist();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void everyMistakeIsToldAtOnce() {
    StringWriter err = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err, true),
            "sim",
            "--profile",
            "plan9",
            "--fault",
            "call=Version,latency",
            "--pull-rate",
            "fast");

    assertThat(code).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            """
            berth sim: 5 invalid arguments
              faults[0]: "latency" is not key=value
              profile: "plan9" is not one of linux/amd64, linux/arm64, windows/amd64, vm
              endpoint: is needed, such as unix:///run/berth/sim.sock
              faults[0]: has no effect: set latency, jitter, code or hang
              pulls.bytesPerSecond: "fast" is not a size such as 512Ki, 10Mi or 1G
            Run `berth sim --help` for usage.
            """);
  }

  private static String get(Path socket) throws Exception {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(
          ByteBuffer.wrap(
              "GET / HTTP/1.1\r\nHost: sim\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
      return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
