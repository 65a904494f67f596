package dev.berth.bench;

import java.io.IOException;

/// A server under load.
interface LoadedServer {
  BenchCredentials credentials() throws IOException;

  /// Processor time that it has used so far; 0 when that is not known.
  long cpuMicros() throws IOException;

  /// Of that, what it spent on compiling itself; 0 when it does not.
  default long compilerMicros() throws IOException {
    return 0;
  }
}
