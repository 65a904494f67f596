package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// An API server that somebody else started, to be measured in the same run.
///
/// @param processes those that it consists of, its store included
record OtherServer(Path kubeconfig, List<ProcessUse> processes) implements Loaded {
  OtherServer {
    processes = List.copyOf(processes);
  }

  @Override
  public Credentials credentials() throws IOException {
    return Credentials.read(kubeconfig);
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
