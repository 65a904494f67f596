package dev.berth.launch.vm;

import dev.berth.agent.runtimes.RuntimeCheck;
import dev.berth.cri.CriEndpoint;
import dev.berth.launch.process.ProcessSupervisor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/// A VM runtime under supervision until this is closed; afterwards it keeps running unsupervised.
///
/// @param obstacle why it does not serve yet; empty if it does
/// @param accelerator such as `KVM` or `TCG`, for people
public record SupervisedVmRuntime(
    Path socket, String obstacle, String accelerator, ProcessSupervisor supervisor)
    implements AutoCloseable {
  private static final Duration PROBE_PATIENCE = Duration.ofSeconds(3);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  /// What the service says as long as it does not know.
  private static final String UNKNOWN = "unknown";

  /// The name of the runtime service.
  public static final String NAME = "vm";

  /// Its handlers: clones of a template, and boots that share no memory.
  public static final List<String> HANDLERS = List.of("vm", "vm-isolated");

  /// What a pod needs beside its containers, by handler and resource, as measured with a guest of
  /// 128 MiB: the process of QEMU, and the pages that the guest's kernel and program write.
  public static final Map<String, Map<String, String>> OVERHEAD =
      Map.of(
          "vm", Map.of("memory", "96Mi", "cpu", "50m"),
          "vm-isolated", Map.of("memory", "160Mi", "cpu", "50m"));

  /// What pods of its classes get and cannot have, so that the API server refuses a pod before any
  /// node does.
  public static final Map<String, String> FEATURES =
      Map.of(
          "runtimeclass.berth.dev/provides",
          "isolation=vm",
          "runtimeclass.berth.dev/unsupported",
          "hostNetwork, hostPID, hostIPC, hostPath, devices");

  static SupervisedVmRuntime of(
      VmDirectory directory, ProcessSupervisor supervisor, String obstacle) {
    return new SupervisedVmRuntime(
        directory.socket(), obstacle, obstacle.isEmpty() ? accelerator(directory) : "", supervisor);
  }

  /// Where KVM hangs, the service knows that only after seconds; it is asked for a moment.
  private static String accelerator(VmDirectory directory) {
    CriEndpoint endpoint = new CriEndpoint.UnixSocket(directory.socket());
    long end = System.nanoTime() + PROBE_PATIENCE.toNanos();
    String found = RuntimeCheck.configured(endpoint, "accelerator");
    while (found.equals(UNKNOWN) && System.nanoTime() < end) {
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      found = RuntimeCheck.configured(endpoint, "accelerator");
    }
    return found.isEmpty() || found.equals(UNKNOWN)
        ? "not known yet"
        : found.toUpperCase(Locale.ROOT);
  }

  @Override
  public void close() {
    supervisor.close();
  }
}
