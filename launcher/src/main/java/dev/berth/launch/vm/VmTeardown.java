package dev.berth.launch.vm;

import dev.berth.agent.runtimes.registry.UnattendedSandboxes;
import dev.berth.api.Problem;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriException;
import dev.berth.launch.process.LaunchException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/// Stops the pods in virtual machines of a data directory, and then the VM runtime. Images and
/// templates stay.
public final class VmTeardown {
  private static final Duration ANSWERS_IN = Duration.ofSeconds(10);
  private static final Duration STARTS_IN = Duration.ofSeconds(60);

  private VmTeardown() {}

  /// Does nothing if no VM runtime was started.
  ///
  /// @param grace time that containers have to terminate
  /// @param progress receives a line per action
  public static void run(Path dataDir, Duration grace, Consumer<String> progress) {
    if (!PrivateVmRuntime.wasStarted(dataDir)) {
      return;
    }
    VmProcess process = new VmProcess(VmDirectory.in(dataDir));
    try {
      serve(process);
      int pods =
          UnattendedSandboxes.endAll(
              new CriEndpoint.UnixSocket(process.directory().socket()), grace);
      progress.accept("vm: %d pods ended".formatted(pods));
      process.end();
      process.forget();
      progress.accept("vm: stopped");
    } catch (IOException | CriException e) {
      throw new LaunchException(
          new Problem(
              "pods in virtual machines of %s are not stopped".formatted(dataDir),
              String.valueOf(e.getMessage()),
              "Check the log %s and run `berth down` again".formatted(process.directory().log())),
          e);
    }
  }

  /// A process that crashed or hangs is started again, because only it removes its machines
  /// completely.
  private static void serve(VmProcess process) throws IOException {
    if (process.find().isPresent() && process.servesWithin(ANSWERS_IN)) {
      return;
    }
    process.kill();
    process.launch();
    if (!process.servesWithin(STARTS_IN)) {
      throw new IOException("the VM runtime does not answer");
    }
  }
}
