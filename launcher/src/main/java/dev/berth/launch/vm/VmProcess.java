package dev.berth.launch.vm;

import dev.berth.agent.runtimes.RuntimeCheck;
import dev.berth.api.PrivateFiles;
import dev.berth.api.Problem;
import dev.berth.cri.CriEndpoint;
import dev.berth.launch.process.DetachedProcess;
import dev.berth.launch.process.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The process of `berth vm-runtime` that a node has for itself.
final class VmProcess {
  private final VmDirectory directory;
  private final DetachedProcess process;

  VmProcess(VmDirectory directory) {
    this.directory = directory;
    this.process = new DetachedProcess(List.of("@" + directory.arguments()), directory.log());
  }

  VmDirectory directory() {
    return directory;
  }

  Optional<ProcessHandle> find() {
    return process.find();
  }

  /// Starts the process unless it runs. One with other arguments, such as those of an older build,
  /// is replaced; its machines keep running meanwhile.
  ///
  /// @param arguments of the JVM, as in an argument file
  void launch(String arguments) throws IOException {
    if (PrivateFiles.holds(directory.arguments(), arguments) && find().isPresent()) {
      return;
    }
    process.end();
    PrivateFiles.createPrivateDirectory(directory.path());
    PrivateFiles.replace(directory.arguments(), arguments);
    launch();
  }

  /// Starts the process again as it was started last.
  void launch() throws IOException {
    Files.deleteIfExists(VmDirectory.readyIn(directory.path()));
    process.start(command(JavaCommand.ofThisProcess()), Map.of("LC_ALL", "C.UTF-8"));
  }

  /// A lock on a build keeps a later build from removing it.
  private List<String> command(JavaCommand java) {
    List<String> command = new ArrayList<>();
    java.stamp()
        .ifPresent(
            stamp -> command.addAll(List.of("flock", "--shared", "--no-fork", stamp.toString())));
    command.addAll(List.of(JavaCommand.program(), "@" + directory.arguments()));
    return command;
  }

  /// Waits until the process serves, for as long as it exists.
  void awaitServing() throws IOException {
    if (!process.awaitServing(this::serves)) {
      throw new LaunchException(
          new Problem(
              "the VM runtime did not start",
              process.lastMessages(),
              "Check the log " + directory.log()));
    }
  }

  boolean servesWithin(Duration limit) {
    return process.servesWithin(this::serves, limit);
  }

  /// A process that serves may still have to load its first images.
  private boolean serves() {
    return Files.exists(VmDirectory.readyIn(directory.path()))
        && RuntimeCheck.ask(new CriEndpoint.UnixSocket(directory.socket())).refusal().isEmpty();
  }

  /// Stops the process; its machines keep running.
  void end() {
    process.end();
  }

  void kill() {
    process.kill();
  }

  /// From now on the directory counts as one in which none was started.
  void forget() throws IOException {
    Files.deleteIfExists(directory.arguments());
  }
}
