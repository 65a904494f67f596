package dev.berth.bench.servers;

import dev.berth.bench.machine.ProcessUse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// An API server that was started elsewhere, to be measured in the same run. Its store counts as a
/// part of it: Berth's store runs in the server's process.
///
/// It must serve the same objects: the load writes pods and namespaces there, and leaves them.
///
/// @param processes the processes of the server and its store
public record ExternalServer(Path kubeconfig, List<ProcessUse> processes) implements LoadedServer {
  public ExternalServer {
    processes = List.copyOf(processes);
  }

  @Override
  public BenchCredentials credentials() throws IOException {
    return BenchCredentials.read(kubeconfig);
  }

  @Override
  public long cpuMicros() throws IOException {
    long all = 0;
    for (ProcessUse process : processes) {
      all += process.cpuMicros();
    }
    return all;
  }
}
