package dev.berth.bench;

import java.io.IOException;

/// A server under load, Berth's or another one, as far as the load needs to know it.
interface LoadedServer {
  BenchCredentials credentials() throws IOException;

  /// The processor time of the server so far; 0 when it is not known.
  long cpuMicros() throws IOException;

  /// The part of it that the server spent on compiling itself; 0 for a server that does not.
  default long compilerMicros() throws IOException {
    return 0;
  }
}
