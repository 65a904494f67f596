package dev.berth.launch.vm;

import dev.berth.api.Problem;
import dev.berth.launch.process.LaunchException;
import dev.berth.vm.VmRuntime;
import dev.berth.vm.VmRuntimeConfig;
import dev.berth.vm.images.ImageException;
import dev.berth.vm.machine.MachineSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The VM runtime in this process. Its machines outlive it.
public final class RunningVmRuntime implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RunningVmRuntime.class);

  private static final Path QEMU = Path.of("/usr/bin/qemu-system-x86_64");

  /// The most that the containers of a pod can write on the disk of their guest.
  private static final long SCRATCH_BYTES = 10L << 30;

  /// User ids of machines, above those that systems and containers give away. Each directory has a
  /// range of its own, so that machines of two services never have the same user.
  private static final int FIRST_USER = 0x70000000;

  private static final int USERS = 4096;
  private static final int RANGES = 60_000;

  private final VmRuntime runtime;
  private final VmRuntimeSettings settings;

  private RunningVmRuntime(VmRuntime runtime, VmRuntimeSettings settings) {
    this.runtime = runtime;
    this.settings = settings;
  }

  /// Starts the runtime, which serves when the method returns.
  ///
  /// @param version of Berth
  public static RunningVmRuntime start(VmRuntimeSettings settings, String version) {
    try {
      Path parent = settings.socket().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      VmRuntime runtime =
          VmRuntime.start(config(settings, version), Clock.systemUTC(), new SecureRandom());
      RunningVmRuntime running = new RunningVmRuntime(runtime, settings);
      settings.archives().forEach(running::load);
      Files.writeString(VmDirectory.readyIn(settings.dataDir()), version + "\n");
      return running;
    } catch (IOException e) {
      throw new LaunchException(
          new Problem(
              "the VM runtime cannot start in " + settings.dataDir(),
              String.valueOf(e.getMessage()),
              "Stop the process that uses the directory, or choose another one with --data-dir"),
          e);
    }
  }

  private static VmRuntimeConfig config(VmRuntimeSettings settings, String version) {
    return new VmRuntimeConfig(
        version,
        settings.socket(),
        settings.dataDir(),
        settings.dataDir().resolve("state"),
        settings.kernels(),
        QEMU,
        settings.networks(),
        settings.plugins(),
        settings.registries(),
        settings.pinnedImages(),
        new MachineSize(settings.memoryMebibytes(), settings.processors()),
        firstUser(settings.dataDir()),
        USERS,
        SCRATCH_BYTES);
  }

  static int firstUser(Path directory) {
    CRC32 sum = new CRC32();
    sum.update(directory.toString().getBytes(StandardCharsets.UTF_8));
    return FIRST_USER + (int) (sum.getValue() % RANGES) * USERS;
  }

  /// A damaged archive costs its images alone.
  private void load(Path archive) {
    try {
      int images = runtime.images().load(archive).size();
      log.info("images loaded archive={} count={}", archive, images);
    } catch (ImageException e) {
      log.warn("images not loaded archive={} reason={}", archive, e.getMessage());
    }
  }

  public String greeting() {
    return """
        Running pods in virtual machines.

          endpoint     unix://%s
          data         %s

        Try      crictl --runtime-endpoint unix://%s info
        Stop     Ctrl-C
        """
        .formatted(settings.socket(), settings.dataDir(), settings.socket());
  }

  @Override
  public void close() {
    runtime.close();
  }
}
