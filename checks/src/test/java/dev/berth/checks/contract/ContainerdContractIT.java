package dev.berth.checks.contract;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.containerd.ContainerdProcess;
import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// The contract as Debian's containerd with runc keeps it.
class ContainerdContractIT
    implements SandboxContract,
        ContainerContract,
        StreamContract,
        ImageContract,
        PullContract,
        CallContract {
  @TempDir private static Path directory;
  private static @Nullable ContainerdProcess containerd;
  private static @Nullable Cri cri;
  private static @Nullable DebianRegistry registry;
  @TempDir private Path logs;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.RUNC));
    containerd = ContainerdProcess.start(directory.resolve("c"), LowLevelRuntime.RUNC);
    cri = new Cri(containerd.socket());
    registry = DebianRegistry.isInstalled() ? DebianRegistry.start(directory) : null;
  }

  @BeforeEach
  void logHere() {
    cri().logTo(logs);
  }

  @AfterAll
  static void stop() {
    if (cri != null) {
      cri.close();
    }
    if (containerd != null) {
      containerd.close();
    }
    if (registry != null) {
      registry.close();
    }
  }

  @Override
  public DebianRegistry registry() {
    assumeTrue(registry != null);
    return requireNonNull(registry);
  }

  @Override
  public Cri cri() {
    return requireNonNull(cri);
  }

  @Override
  public String handler() {
    return LowLevelRuntime.RUNC.handler();
  }
}
