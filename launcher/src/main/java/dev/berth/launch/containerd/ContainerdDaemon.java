package dev.berth.launch.containerd;

import dev.berth.api.Problem;
import dev.berth.launch.containerd.programs.ContainerdException;
import dev.berth.launch.containerd.programs.ProgramRunner;
import dev.berth.launch.containerd.programs.RuntimePrograms;
import dev.berth.launch.process.DetachedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A containerd process that outlives the process which started it.
///
/// `ProcessSupervisor` calls the methods on one thread, [ContainerdTeardown] on another process's;
/// nothing here waits without a bound but `awaitServing`.
final class ContainerdDaemon {
  /// A containerd that answers does so within a fraction of a second.
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

  /// Calls that handle images take long on slow disks.
  private static final Duration CALL_LIMIT = Duration.ofMinutes(2);

  /// A script that removes the mount in its own mount namespace only, and then becomes the program.
  /// `rprivate` comes first: in a shared mount the removal would reach the whole machine.
  private static final String HIDE =
      "mount --make-rprivate \"$(dirname \"$0\")\" && umount \"$0\" && exec \"$@\"";

  private final ServicePlan plan;
  private final ContainerdDirectory directory;
  private final RuntimePrograms programs;
  private final DetachedProcess process;

  ContainerdDaemon(ServicePlan plan, ContainerdDirectory directory, RuntimePrograms programs) {
    this.plan = plan;
    this.directory = directory;
    this.programs = programs;
    this.process = new DetachedProcess(configArguments(directory), directory.log());
  }

  private static List<String> configArguments(ContainerdDirectory directory) {
    return List.of("--config", directory.config().toString());
  }

  ServicePlan plan() {
    return plan;
  }

  ContainerdDirectory directory() {
    return directory;
  }

  /// Finds the process by the configuration file in its command line.
  Optional<ProcessHandle> process() {
    return process.find();
  }

  /// Starts containerd unless it runs. A process with another configuration is replaced; its
  /// containers keep running meanwhile.
  ///
  /// @param environment variables of the process
  void launch(String config, Map<String, String> environment) throws IOException {
    boolean same =
        Files.exists(directory.config()) && Files.readString(directory.config()).equals(config);
    if (same && process().isPresent()) {
      return;
    }
    end();
    Files.createDirectories(directory.path());
    Files.writeString(directory.config(), config);
    Map<String, String> all = new HashMap<>(environment);
    all.put("PATH", ProgramRunner.path());
    process.start(command(), all);
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    if (!plan.hiddenMount().isEmpty()) {
      // With unchanged propagation volumes that the agent mounts later are visible to containerd
      // too.
      command.addAll(List.of("unshare", "--mount", "--propagation", "unchanged"));
      command.addAll(List.of("sh", "-c", HIDE, plan.hiddenMount()));
    }
    command.add(programs.file("containerd").toString());
    command.addAll(configArguments(directory));
    return command;
  }

  /// Waits until containerd serves, for as long as its process exists: after a crash it may first
  /// have to read the state of many containers.
  void awaitServing() throws IOException {
    if (!process.awaitServing(this::serves)) {
      throw new ContainerdException(
          new Problem(
              "containerd did not start",
              process.lastMessages(),
              "Check the log %s, or use another runtime with --container-runtime-endpoint"
                  .formatted(directory.log())));
    }
  }

  /// Whether containerd serves before the time is over.
  boolean servesWithin(Duration limit) {
    return process.servesWithin(this::serves, limit);
  }

  private boolean serves() {
    return Files.exists(directory.socket()) && answers();
  }

  private boolean answers() {
    return ProgramRunner.succeeds(
        List.of(
            programs.file("ctr").toString(), "-a", directory.socket().toString(), "plugins", "ls"),
        ANSWER_LIMIT);
  }

  /// Runs containerd's client `ctr` and returns its output.
  String ctr(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                programs.file("ctr").toString(),
                "-a",
                directory.socket().toString(),
                "-n",
                "k8s.io"));
    command.addAll(List.of(arguments));
    return ProgramRunner.run(command, CALL_LIMIT);
  }

  /// Stops the process (SIGTERM); its containers keep running.
  void end() {
    process.end();
  }

  /// Kills the process (SIGKILL); its containers keep running.
  void kill() {
    process.kill();
  }

  /// Kills the shims and all processes in their containers.
  void endShims() {
    for (ContainerdShim shim : ContainerdShim.of(directory.socket().toString())) {
      // Descendants first: without the shim they belong to PID 1 and cannot be found any more.
      shim.process().descendants().forEach(ProcessHandle::destroyForcibly);
      DetachedProcess.end(shim.process(), Duration.ZERO);
    }
  }

  /// Kills shims of sandboxes that an earlier containerd was starting when it was killed.
  void endLostShims() throws IOException {
    Optional<Instant> since = process().flatMap(process -> process.info().startInstant());
    if (since.isPresent()) {
      Set<String> known = ctr("tasks", "ls", "-q").lines().collect(Collectors.toSet());
      ContainerdShim.of(directory.socket().toString()).stream()
          .filter(shim -> shim.isLost(known, since.get()))
          .forEach(shim -> DetachedProcess.end(shim.process(), Duration.ZERO));
    }
  }
}
