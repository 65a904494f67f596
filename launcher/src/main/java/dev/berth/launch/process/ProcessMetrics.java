package dev.berth.launch.process;

import dev.berth.agent.node.machine.LinuxMachine;
import dev.berth.agent.node.machine.LinuxProcess;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;

/// The resources that this process uses, under the names that every program with metrics has. A
/// value that the system does not report is left out.
///
/// @param root of the system, for tests
public record ProcessMetrics(Path root) {
  private static final double NANOS = 1e9;

  private interface Reading {
    double take() throws IOException;
  }

  /// Registers the metrics of the process that calls.
  public static void register(PrometheusRegistry registry) {
    new ProcessMetrics(Path.of("/")).showIn(registry);
  }

  public void showIn(PrometheusRegistry registry) {
    CounterWithCallback.builder()
        .name("process_cpu_seconds_total")
        .help("Total user and system CPU time spent in seconds.")
        .callback(counter -> report(() -> process().cpu() / NANOS, counter::call))
        .register(registry);
    gauge(
        registry,
        "process_start_time_seconds",
        "Start time of the process since unix epoch in seconds.",
        () -> new LinuxMachine(root, root).bootSeconds() + process().started());
    gauge(
        registry,
        "process_resident_memory_bytes",
        "Resident memory size in bytes.",
        () -> process().resident());
    gauge(
        registry,
        "process_virtual_memory_bytes",
        "Virtual memory size in bytes.",
        () -> process().virtual());
    gauge(registry, "process_open_fds", "Number of open file descriptors.", this::openFiles);
    gauge(
        registry,
        "process_max_fds",
        "Maximum number of open file descriptors.",
        () -> LinuxProcess.mostFiles(own()));
  }

  private static void gauge(
      PrometheusRegistry registry, String name, String help, Reading reading) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(gauge -> report(reading, gauge::call))
        .register(registry);
  }

  private static void report(Reading reading, DoubleConsumer to) {
    try {
      to.accept(reading.take());
    } catch (IOException _) {
      // Not Linux, or /proc is not there.
    }
  }

  private LinuxProcess process() throws IOException {
    return LinuxProcess.of(own());
  }

  private double openFiles() throws IOException {
    try (Stream<Path> all = Files.list(own().resolve("fd"))) {
      return all.count();
    }
  }

  private Path own() {
    return root.resolve("proc/self");
  }
}
