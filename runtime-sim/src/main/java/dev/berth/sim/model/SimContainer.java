package dev.berth.sim.model;

import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerResources;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.sim.images.PulledImage;
import dev.berth.sim.knobs.FaultRule.Facts;
import dev.berth.sim.shell.FileTree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A container. The lock of its `SimMachine` guards all fields that can change.
public final class SimContainer {
  final String id;
  final SimSandbox sandbox;
  final ContainerConfig config;
  final PulledImage image;
  final long createdAt;
  ContainerState state = ContainerState.CONTAINER_CREATED;
  long startedAt;
  long finishedAt;
  int exitCode;
  String reason = "";
  String message = "";

  /// The limits in force; updates replace them.
  ContainerResources resources;

  @Nullable ContainerProcess process;
  @Nullable ContainerLog log;

  /// The container's files. The field is null until a process uses files: most containers of a load
  /// test never do.
  private @Nullable FileTree files;

  SimContainer(
      String id,
      SimSandbox sandbox,
      ContainerConfig config,
      PulledImage image,
      ContainerResources resources,
      long createdAt) {
    this.id = id;
    this.sandbox = sandbox;
    this.config = config;
    this.image = image;
    this.resources = resources;
    this.createdAt = createdAt;
  }

  /// The name that containerd reserves, unique on a node.
  static String name(ContainerConfig config, SimSandbox sandbox) {
    PodSandboxMetadata pod = sandbox.config.getMetadata();
    return String.join(
        "_",
        config.getMetadata().getName(),
        pod.getName(),
        pod.getNamespace(),
        pod.getUid(),
        Integer.toUnsignedString(config.getMetadata().getAttempt()));
  }

  public String id() {
    return id;
  }

  public SimSandbox sandbox() {
    return sandbox;
  }

  boolean running() {
    return state == ContainerState.CONTAINER_RUNNING;
  }

  /// The command line: the container's command and arguments, else those of the image.
  List<String> command() {
    List<String> command = new ArrayList<>(config.getCommandList());
    if (command.isEmpty()) {
      command.addAll(image.command());
    }
    command.addAll(config.getArgsList());
    return command;
  }

  /// The path of the log file; empty when the container has none.
  String logPath() {
    String directory = sandbox.config.getLogDirectory();
    return directory.isEmpty() || config.getLogPath().isEmpty()
        ? ""
        : Path.of(directory, config.getLogPath()).toString();
  }

  /// The files of the container, made on first use. They survive its processes.
  FileTree files() {
    FileTree tree = files;
    if (tree == null) {
      tree =
          new FileTree(
              config.getMountsList().stream()
                  .filter(mount -> !mount.getHostPath().isEmpty())
                  .map(
                      mount ->
                          new FileTree.Mount(
                              mount.getContainerPath(),
                              Path.of(mount.getHostPath()),
                              mount.getReadonly()))
                  .toList());
      files = tree;
    }
    return tree;
  }

  Facts facts() {
    PodSandboxMetadata pod = sandbox.config.getMetadata();
    return new Facts(
        sandbox.handler,
        config.getImage().getImage(),
        pod.getNamespace(),
        pod.getName(),
        config.getMetadata().getName());
  }
}
