package dev.berth.bench.servers;

import java.io.IOException;

/// A server under load, Berth's or another one, as far as the load needs to know it.
///
/// An interface of few facts: a server that is not Berth has a kubeconfig and processes, and
/// nothing else that a benchmark could rely on.
public interface LoadedServer {
  BenchCredentials credentials() throws IOException;

  /// The processor time of the server so far; 0 when it is not known.
  long cpuMicros() throws IOException;

  /// The part of it that the server spent on compiling itself; 0 for a server that does not.
  default long compilerMicros() throws IOException {
    return 0;
  }
}
