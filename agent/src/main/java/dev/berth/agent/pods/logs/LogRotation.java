package dev.berth.agent.pods.logs;

import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.files.FileHandle;
import dev.berth.agent.files.FileStatus;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ServiceObserver;
import dev.berth.agent.pods.worker.ServiceObservers;
import dev.berth.agent.timing.WakeSignal;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.Channels;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Rotates container logs so that they do not fill the disk: a large log is renamed, older parts
/// are compressed and finally removed. Maintains the links to logs, too. One thread.
public final class LogRotation implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LogRotation.class);
  private static final DateTimeFormatter SUFFIX =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
  private static final String COMPRESSED = ".gz";
  private static final String TEMPORARY = ".tmp";

  private final ServiceObservers observers;
  private final LogRules rules;
  private final LogLinks links;
  private final DelayedActions delays;
  private final InstantSource clock;
  private final Thread thread;

  private LogRotation(
      ServiceObservers observers,
      LogRules rules,
      LogLinks links,
      DelayedActions delays,
      InstantSource clock) {
    this.observers = observers;
    this.rules = rules;
    this.links = links;
    this.delays = delays;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name("log-rotation").unstarted(this::run);
  }

  public static LogRotation start(
      ServiceObservers observers,
      LogRules rules,
      LogLinks links,
      DelayedActions delays,
      InstantSource clock) {
    LogRotation rotation = new LogRotation(observers, rules, links, delays, clock);
    rotation.thread.start();
    return rotation;
  }

  private void run() {
    try {
      while (true) {
        new WakeSignal().await(rules.period(), delays);
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
      // One failing log must not stop the rotation of all.
      log.error("log not rotated file={}", what, e);
    }
  }

  private void care(ServiceObserver observer, ObservedContainer container) throws IOException {
    Path file = Path.of(container.logPath());
    String name = String.valueOf(file.getFileName());
    try (DirectoryHandle directory = DirectoryHandle.ofLog(file)) {
      Optional<FileStatus> status = directory.status(name);
      if (container.isRunning() && status.isEmpty()) {
        heal(observer, container, directory, name);
      } else if (container.isRunning()
          && status
              .filter(one -> one.isRegularFile() && one.size() >= rules.largest())
              .isPresent()) {
        rotate(observer, container, directory, name);
      }
      if (directory.status(name).isPresent()) {
        links.add(container.id(), file);
      }
    } catch (NoSuchFileException _) {
      // The pod is gone.
    }
  }

  /// Repairs a rotation that the end of an agent interrupted between rename and reopen: the
  /// container then has only a renamed log.
  private static void heal(
      ServiceObserver observer, ObservedContainer container, DirectoryHandle directory, String name)
      throws IOException {
    if (!parts(directory, name).isEmpty()) {
      log.info("log opened again, its rotation was interrupted file={}", container.logPath());
      observer.service().runtime().reopenContainerLog(container.id());
    }
  }

  private void rotate(
      ServiceObserver observer, ObservedContainer container, DirectoryHandle directory, String name)
      throws IOException {
    String aside = name + "." + SUFFIX.format(clock.instant());
    List<String> parts = parts(directory, name);
    if (parts.stream().anyMatch(part -> part.startsWith(aside))) {
      // A part of this second exists; the next round rotates.
      return;
    }
    for (String part : parts) {
      compress(directory, part);
    }
    List<String> kept = parts(directory, name);
    for (String old : kept.subList(0, Math.max(0, kept.size() - (rules.files() - 2)))) {
      directory.remove(old);
    }
    directory.rename(name, aside);
    try {
      observer.service().runtime().reopenContainerLog(container.id());
    } catch (CriException e) {
      // The runtime did not reopen its log and still writes to the renamed file, so the rename is
      // undone.
      directory.rename(aside, name);
      throw e;
    }
  }

  /// The rotated parts, oldest first.
  private static List<String> parts(DirectoryHandle directory, String log) throws IOException {
    List<String> parts = new ArrayList<>();
    for (String name : directory.names()) {
      if (name.startsWith(log + ".")
          && !name.endsWith(TEMPORARY)
          && directory.status(name).filter(FileStatus::isRegularFile).isPresent()) {
        parts.add(name);
      }
    }
    parts.sort(Comparator.naturalOrder());
    return parts;
  }

  private static void compress(DirectoryHandle directory, String part) throws IOException {
    if (part.endsWith(COMPRESSED)) {
      return;
    }
    String temporary = part + TEMPORARY;
    directory.remove(temporary);
    try (FileHandle source = directory.find(part);
        RandomAccessFile in = source.read();
        FileHandle target = directory.create(temporary);
        OutputStream out = new GZIPOutputStream(target.output())) {
      Channels.newInputStream(in.getChannel()).transferTo(out);
      target.setMode(source.status().permissions());
    }
    directory.rename(temporary, part + COMPRESSED);
    directory.remove(part);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
