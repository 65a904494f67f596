package dev.berth.agent.runtimes.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.runtimes.RegistrationOrigin.Configured;
import dev.berth.agent.runtimes.RegistrationOrigin.DropIn;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.admin.DropInPlan.Step;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registration.RuntimeYaml;
import dev.berth.agent.runtimes.registry.RemovalResult;
import dev.berth.agent.runtimes.registry.RemovalResult.Removed;
import dev.berth.agent.runtimes.registry.RuntimeRegistry;
import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps registered services and files of a directory in sync, in both directions.
final class DropInDirectory {
  private static final Logger log = LoggerFactory.getLogger(DropInDirectory.class);
  private static final Pattern NUMBER = Pattern.compile("(\\d{1,6})-.*");

  private final Path directory;
  private final RuntimeRegistry registry;
  private final ReentrantLock lock = new ReentrantLock();

  // The three fields below are guarded by the lock.
  private final Map<String, RuntimeDeclaration> applied = new HashMap<>();
  private final Set<String> retired = new HashSet<>();
  private List<Problem> lastReported = List.of();

  /// @param initial the services that were registered from the directory at the start
  DropInDirectory(Path directory, RuntimeRegistry registry, DropInScan initial) {
    this.directory = directory;
    this.registry = registry;
    initial.services().values().forEach(service -> applied.put(service.name(), service));
  }

  /// Applies the current files.
  ///
  /// @return problems with them
  List<Problem> apply() {
    lock.lock();
    try {
      List<Problem> problems = applyScan();
      registry.services().report(problems);
      problems.stream()
          .filter(problem -> !lastReported.contains(problem))
          .forEach(problem -> log.warn("{}", problem));
      lastReported = problems;
      return problems;
    } finally {
      lock.unlock();
    }
  }

  private List<Problem> applyScan() {
    DropInScan scan;
    try {
      scan = DropInScan.of(directory);
    } catch (IOException e) {
      // An unreadable directory is not an empty one: its services stay.
      return List.of(
          new Problem(
              "directory %s cannot be read".formatted(directory),
              e.toString(),
              "Give the agent read access to the directory; until then, the registered runtime services do not change"));
    }
    List<RuntimeService> present = registry.snapshot().services();
    retired.retainAll(present.stream().map(RuntimeService::name).toList());
    List<Problem> problems = new ArrayList<>(scan.allProblems());
    for (Step step : DropInPlan.compute(scan, present, applied, retired)) {
      take(step).ifPresent(problems::add);
    }
    return List.copyOf(problems);
  }

  private Optional<Problem> take(Step step) {
    return switch (step) {
      case Step.Retire(var name) -> {
        retired.add(name);
        registry.services().retire(name);
        yield Optional.empty();
      }
      case Step.Resume(var name) -> {
        retired.remove(name);
        yield registry.services().resume(name);
      }
      case Step.Add(var registration) ->
          applied(registration, registry.services().add(registration));
      case Step.Replace(var registration) -> {
        if (retired.remove(registration.declaration().name())) {
          registry.services().resume(registration.declaration().name());
        }
        yield applied(registration, registry.services().replace(registration));
      }
    };
  }

  private Optional<Problem> applied(ServiceRegistration registration, Optional<Problem> obstacle) {
    if (obstacle.isEmpty()) {
      applied.put(registration.declaration().name(), registration.declaration());
    }
    return obstacle;
  }

  /// Registers a service persistently.
  ///
  /// @return why that is not possible
  List<Problem> add(RuntimeDeclaration service) {
    lock.lock();
    try {
      Path file = directory.resolve("%02d-%s.yaml".formatted(nextNumber(), service.name()));
      var desired = new ServiceRegistration(service, new Configured());
      Optional<Problem> obstacle = registry.services().obstacleTo(desired);
      if (obstacle.isPresent()) {
        return List.of(obstacle.get());
      }
      write(file, RuntimeYaml.write(service));
      List<Problem> problems = apply();
      if (registry.snapshot().find(service.name()).isPresent()) {
        return List.of();
      }
      delete(file);
      return problems;
    } catch (IOException e) {
      return List.of(
          new Problem(
              "runtime service \"%s\" cannot be added".formatted(service.name()),
              e.toString(),
              "Give the agent write access to directory " + directory));
    } finally {
      lock.unlock();
    }
  }

  /// Removes a service, and its file if it has one.
  RemovalResult remove(String name, boolean force) {
    lock.lock();
    try {
      Optional<RuntimeService> service = registry.snapshot().find(name);
      RemovalResult removal = registry.services().remove(name, force);
      if (removal instanceof Removed
          && service.isPresent()
          && service.get().origin() instanceof DropIn(var file)) {
        delete(file);
      }
      return removal;
    } finally {
      lock.unlock();
    }
  }

  /// New files sort after the present ones, so that a new service never changes the default.
  private int nextNumber() throws IOException {
    int last = 0;
    for (Path file : DropInScan.of(directory).services().keySet()) {
      Matcher name = NUMBER.matcher(String.valueOf(file.getFileName()));
      last = name.matches() ? Math.max(last, Integer.parseInt(name.group(1))) : last;
    }
    return last / 10 * 10 + 10;
  }

  /// Writes atomically: a concurrent scan sees the whole file or none.
  private static void write(Path file, String text) throws IOException {
    Path hidden = file.resolveSibling("." + file.getFileName() + ".new");
    Files.write(hidden, text.getBytes(UTF_8));
    Files.move(hidden, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      log.warn(
          "file of a removed runtime service not deleted, the agent registers the service again at"
              + " its next start file={} reason={}",
          file,
          e.toString());
    }
  }
}
