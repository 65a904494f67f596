package dev.berth.checks;

import java.util.List;
import java.util.stream.Stream;

/// The module table of ARCHITECTURE.md: which package may know which.
///
/// @param directory the module's directory, as the root pom names it
/// @param name its package below `dev.berth`
/// @param mayUse other packages below `dev.berth`
record Modules(String directory, String name, List<String> mayUse) {
  static final List<Modules> TABLE =
      List.of(
          new Modules("api", "api", List.of()),
          new Modules("store", "store", List.of("api")),
          new Modules("cri", "cri", List.of("api")),
          new Modules("registry", "registry", List.of("api")),
          new Modules("runtime-sim", "sim", List.of("api", "cri", "registry")),
          new Modules("runtime-vm", "vm", List.of("api", "cri", "registry")),
          new Modules("relay", "relay", List.of()),
          new Modules("server", "server", List.of("api", "store", "registry", "relay")),
          new Modules("client", "client", List.of("api")),
          new Modules("controllers", "controllers", List.of("api", "client", "registry")),
          new Modules("scheduler", "scheduler", List.of("api", "client", "registry")),
          new Modules("agent", "agent", List.of("api", "client", "cri", "registry", "relay")),
          new Modules(
              "launcher",
              "cli",
              List.of("api", "registry", "server", "scheduler", "agent", "launch")),
          new Modules(
              "launcher",
              "launch",
              List.of(
                  "api",
                  "store",
                  "cri",
                  "registry",
                  "sim",
                  "vm",
                  "server",
                  "client",
                  "controllers",
                  "scheduler",
                  "agent")),
          new Modules(
              "bench",
              "bench",
              List.of(
                  "api",
                  "store",
                  "cri",
                  "registry",
                  "sim",
                  "vm",
                  "server",
                  "client",
                  "controllers",
                  "scheduler",
                  "agent",
                  "cli",
                  "launch")),
          new Modules(
              "chaos",
              "chaos",
              List.of(
                  "api",
                  "store",
                  "cri",
                  "registry",
                  "sim",
                  "vm",
                  "server",
                  "client",
                  "controllers",
                  "scheduler",
                  "agent",
                  "cli",
                  "launch",
                  "bench")),
          new Modules(
              "checks",
              "checks",
              List.of(
                  "api",
                  "store",
                  "cri",
                  "registry",
                  "sim",
                  "vm",
                  "server",
                  "client",
                  "controllers",
                  "scheduler",
                  "agent",
                  "cli",
                  "launch")));

  String packages() {
    return "dev.berth." + name + "..";
  }

  String[] allowedPackages() {
    return Stream.concat(Stream.of(name), mayUse.stream())
        .map(module -> "dev.berth." + module + "..")
        .toArray(String[]::new);
  }

  @Override
  public String toString() {
    return name;
  }
}
