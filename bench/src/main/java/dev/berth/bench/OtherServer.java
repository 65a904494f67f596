package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Path;

/// An API server that somebody else started, to be measured in the same run.
record OtherServer(Path kubeconfig) implements Loaded {
  @Override
  public Credentials credentials() throws IOException {
    return Credentials.read(kubeconfig);
  }

  @Override
  public long cpuMicros() {
    return 0;
  }
}
