package dev.berth.vm.guest;

import dev.berth.vm.guest.model.GuestContainer;
import dev.berth.vm.guest.model.GuestContainer.PidNamespace;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestLimits;
import dev.berth.vm.guest.model.GuestMount;
import dev.berth.vm.guest.model.GuestMount.MountSource;
import dev.berth.vm.guest.model.GuestPrivileges;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.model.GuestUser;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A container of busybox that runs a script, in a machine of a test.
final class ContainerRecipe {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final TestMachine machine;
  private final String id = "container-" + COUNT.incrementAndGet();
  private final List<String> args;
  private final List<String> environment = new ArrayList<>(List.of("PATH=/bin"));
  private final List<GuestMount> mounts = new ArrayList<>();
  private String directory = "";
  private GuestUser user = GuestUser.ROOT;
  private GuestPrivileges privileges = GuestPrivileges.DEFAULT;
  private GuestLimits limits = GuestLimits.NONE;
  private PidNamespace pids = new PidNamespace.OwnProcesses();
  private boolean tty;
  private boolean stdin;
  private boolean stdinOnce;

  private ContainerRecipe(TestMachine machine, List<String> args) {
    this.machine = machine;
    this.args = args;
  }

  static ContainerRecipe script(TestMachine machine, String script) {
    return new ContainerRecipe(machine, List.of("/bin/sh", "-c", script));
  }

  static ContainerRecipe of(TestMachine machine, String... args) {
    return new ContainerRecipe(machine, List.of(args));
  }

  ContainerRecipe environment(String... values) {
    environment.addAll(List.of(values));
    return this;
  }

  ContainerRecipe directory(String path) {
    directory = path;
    return this;
  }

  ContainerRecipe user(GuestUser value) {
    user = value;
    return this;
  }

  ContainerRecipe privileges(GuestPrivileges value) {
    privileges = value;
    return this;
  }

  ContainerRecipe limits(GuestLimits value) {
    limits = value;
    return this;
  }

  ContainerRecipe pids(PidNamespace value) {
    pids = value;
    return this;
  }

  ContainerRecipe tty() {
    tty = true;
    return this;
  }

  ContainerRecipe stdin(boolean once) {
    stdin = true;
    stdinOnce = once;
    return this;
  }

  ContainerRecipe mount(String destination, MountSource source) {
    return mount(new GuestMount(destination, source, "", false));
  }

  ContainerRecipe mount(GuestMount mount) {
    mounts.add(mount);
    return this;
  }

  String id() {
    return id;
  }

  /// Creates the container.
  ContainerRecipe create() {
    machine
        .agent()
        .create(
            new GuestContainer(
                id,
                "image0",
                args,
                environment,
                directory,
                user,
                privileges,
                mounts,
                limits,
                pids,
                tty,
                stdin,
                stdinOnce));
    return this;
  }

  /// Creates and starts the container.
  ContainerRecipe start() {
    create();
    machine.agent().start(id);
    return this;
  }

  GuestExit awaitExit() {
    return machine.listener().awaitExit(id);
  }

  /// Runs the container to its end, removes it, and has all that it wrote to standard output.
  String run() {
    start();
    awaitExit();
    machine.agent().remove(id);
    return output() + errors();
  }

  void awaitOutput(String text) {
    machine.listener().awaitText(id, GuestStream.STDOUT, text);
  }

  String output() {
    return machine.listener().text(id, GuestStream.STDOUT);
  }

  String errors() {
    return machine.listener().text(id, GuestStream.STDERR);
  }

  void remove() {
    machine.agent().remove(id);
  }
}
