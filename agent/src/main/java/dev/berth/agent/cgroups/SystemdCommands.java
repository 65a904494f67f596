package dev.berth.agent.cgroups;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Calls this machine's systemd with its own commands: `busctl` sets properties that `systemctl`
/// cannot, `systemctl` waits for completion.
public final class SystemdCommands implements SystemdUnits {
  /// `systemctl` waits for its manager, which may hang; the pod's start then fails and is tried
  /// again.
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final List<String> MANAGER =
      List.of(
          "busctl",
          "call",
          "org.freedesktop.systemd1",
          "/org/freedesktop/systemd1",
          "org.freedesktop.systemd1.Manager");

  /// systemd answered, and did not do what it was asked for.
  private static final class RefusalException extends IOException {
    private static final long serialVersionUID = 1;

    RefusalException(String message) {
      super(message);
    }
  }

  /// Whether systemd booted this machine, as sd_booted(3) checks it.
  public static boolean isRunning() {
    return Files.isDirectory(Path.of("/run/systemd/system"));
  }

  @Override
  public void start(String unit, List<Property> properties) throws IOException {
    try {
      run(
          call(
              "StartTransientUnit", "ssa(sv)a(sa(sv))", List.of(unit, "replace"), properties, "0"));
    } catch (RefusalException refusal) {
      // A unit that exists or has a file can only be changed. The command prints no error name that
      // says so, only words.
      try {
        change(unit, properties);
      } catch (RefusalException other) {
        refusal.addSuppressed(other);
        throw refusal;
      }
    }
    run(List.of("systemctl", "--quiet", "start", unit));
  }

  @Override
  public void change(String unit, List<Property> properties) throws IOException {
    run(call("SetUnitProperties", "sba(sv)", List.of(unit, "true"), properties));
  }

  private static List<String> call(
      String method,
      String signature,
      List<String> first,
      List<Property> properties,
      String... last) {
    List<String> words = new ArrayList<>(MANAGER);
    words.add(method);
    words.add(signature);
    words.addAll(first);
    words.add(Integer.toString(properties.size()));
    for (Property property : properties) {
      words.addAll(List.of(property.name(), property.type(), property.value()));
    }
    words.addAll(List.of(last));
    return words;
  }

  @Override
  public void stop(String unit) throws IOException {
    run(List.of("systemctl", "--quiet", "stop", unit));
  }

  /// The commands print at most a line, so their output need not be read while they run.
  private static void run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      if (!process.waitFor(LIMIT)) {
        throw new IOException(
            "systemd did not answer within %s: %s".formatted(LIMIT, String.join(" ", command)));
      }
      if (process.exitValue() != 0) {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        throw new RefusalException(
            "systemd refused: %s (%s)".formatted(output.strip(), String.join(" ", command)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException(command.getFirst()).initCause(e);
    } finally {
      process.destroyForcibly();
    }
  }
}
