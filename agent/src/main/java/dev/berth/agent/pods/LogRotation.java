package dev.berth.agent.pods;

import dev.berth.agent.pods.observed.Bell;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ServiceObserver;
import dev.berth.client.Delays;
import dev.berth.cri.CriException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps logs of containers from filling the disk: one that has grown large is put aside, and older
/// parts are compressed and in the end removed. Keeps links to them, too. One thread.
final class LogRotation implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LogRotation.class);
  private static final DateTimeFormatter SUFFIX =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
  private static final String COMPRESSED = ".gz";

  private final Observers observers;
  private final LogRules rules;
  private final LogLinks links;
  private final Delays delays;
  private final InstantSource clock;
  private final Thread thread;

  private LogRotation(
      Observers observers, LogRules rules, LogLinks links, Delays delays, InstantSource clock) {
    this.observers = observers;
    this.rules = rules;
    this.links = links;
    this.delays = delays;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name("log-rotation").unstarted(this::run);
  }

  static LogRotation start(
      Observers observers, LogRules rules, LogLinks links, Delays delays, InstantSource clock) {
    LogRotation rotation = new LogRotation(observers, rules, links, delays, clock);
    rotation.thread.start();
    return rotation;
  }

  private void run() {
    try {
      while (true) {
        new Bell().await(rules.period(), delays);
        observers.all().forEach(this::rotateAll);
        attempt("links", links::prune);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void rotateAll(ServiceObserver observer) {
    for (String uid : observer.view().pods()) {
      observer.view().look(uid).stream()
          .flatMap(pod -> pod.containers().stream())
          .filter(container -> !container.logPath().isEmpty())
          .forEach(container -> attempt(container.logPath(), () -> care(observer, container)));
    }
  }

  private interface Care {
    void take() throws IOException;
  }

  private static void attempt(String what, Care care) {
    try {
      care.take();
    } catch (IOException | CriException e) {
      log.warn("log not rotated file={} reason={}", what, e.getMessage());
    } catch (RuntimeException e) {
      // One strange log must not end the rotation of all.
      log.error("log not rotated file={}", what, e);
    }
  }

  private void care(ServiceObserver observer, ObservedContainer container) throws IOException {
    Path file = Path.of(container.logPath());
    if (container.isRunning() && !Files.exists(file)) {
      heal(observer, container, file);
    } else if (container.isRunning()
        && Files.isRegularFile(file)
        && Files.size(file) >= rules.largest()) {
      rotate(observer, container, file);
    }
    if (Files.exists(file)) {
      links.add(container.id(), file);
    }
  }

  /// An agent that ended between the two steps of a rotation left a container whose log is only
  /// what was put aside.
  private static void heal(ServiceObserver observer, ObservedContainer container, Path file)
      throws IOException {
    Path folder = file.getParent();
    if (folder != null && Files.isDirectory(folder) && !parts(file).isEmpty()) {
      log.info("log opened again, its rotation was interrupted file={}", file);
      observer.service().runtime().reopenContainerLog(container.id());
    }
  }

  private void rotate(ServiceObserver observer, ObservedContainer container, Path file)
      throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + "." + SUFFIX.format(clock.instant()));
    List<Path> parts = parts(file);
    if (parts.stream().anyMatch(part -> part.toString().startsWith(aside.toString()))) {
      // Put aside within this second already: the next look does it.
      return;
    }
    for (Path part : parts) {
      compress(part);
    }
    List<Path> kept = parts(file);
    for (Path old : kept.subList(0, Math.max(0, kept.size() - (rules.files() - 2)))) {
      Files.deleteIfExists(old);
    }
    Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
    try {
      observer.service().runtime().reopenContainerLog(container.id());
    } catch (CriException e) {
      // The runtime goes on writing what was put aside: it is the log again.
      Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
      throw e;
    }
  }

  /// What was put aside, the oldest first.
  private static List<Path> parts(Path file) throws IOException {
    String prefix = file.getFileName() + ".";
    try (Stream<Path> all = Files.list(Objects.requireNonNull(file.getParent()))) {
      return all.filter(one -> one.getFileName().toString().startsWith(prefix))
          .filter(one -> !one.toString().endsWith(".tmp"))
          .sorted(Comparator.comparing(Path::toString))
          .toList();
    }
  }

  private static void compress(Path part) throws IOException {
    if (part.toString().endsWith(COMPRESSED)) {
      return;
    }
    Path temporary = Path.of(part + ".tmp");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(temporary))) {
      Files.copy(part, out);
    }
    Files.move(temporary, Path.of(part + COMPRESSED), StandardCopyOption.ATOMIC_MOVE);
    Files.delete(part);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
