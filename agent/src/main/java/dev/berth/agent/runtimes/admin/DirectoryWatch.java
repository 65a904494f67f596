package dev.berth.agent.runtimes.admin;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Triggers a scan of a directory on every file event, and periodically.
///
/// Events only trigger scans: network file systems and event overflows lose some.
final class DirectoryWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DirectoryWatch.class);
  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  private final Path directory;
  private final Duration atLeastEvery;
  private final Runnable look;
  private final @Nullable WatchService events;
  private final Thread thread;

  private DirectoryWatch(Path directory, Duration atLeastEvery, Runnable look) {
    this.directory = directory;
    this.atLeastEvery = atLeastEvery;
    this.look = look;
    this.events = open();
    this.thread = Thread.ofVirtual().name("runtime-drop-ins").unstarted(this::run);
  }

  static DirectoryWatch start(Path directory, Duration atLeastEvery, Runnable look) {
    var watch = new DirectoryWatch(directory, atLeastEvery, look);
    watch.thread.start();
    return watch;
  }

  private static @Nullable WatchService open() {
    try {
      return FileSystems.getDefault().newWatchService();
    } catch (IOException | UnsupportedOperationException e) {
      log.warn(
          "file events unavailable, changes are seen by periodic scans reason={}", e.toString());
      return null;
    }
  }

  private void run() {
    WatchKey key = null;
    try {
      while (true) {
        if (key == null || !key.isValid()) {
          key = register();
        }
        look.run();
        await(key);
      }
    } catch (InterruptedException | java.nio.file.ClosedWatchServiceException _) {
      // Closed.
    }
  }

  private void await(@Nullable WatchKey key) throws InterruptedException {
    if (events == null || key == null) {
      TimeUnit.NANOSECONDS.sleep(atLeastEvery.toNanos());
      return;
    }
    WatchKey signalled = events.poll(atLeastEvery.toNanos(), TimeUnit.NANOSECONDS);
    if (signalled != null) {
      signalled.pollEvents();
      signalled.reset();
    }
  }

  /// The watch key; null when the directory does not exist, which is retried.
  private @Nullable WatchKey register() {
    try {
      Files.createDirectories(directory);
      return events == null
          ? null
          : directory.register(
              events,
              StandardWatchEventKinds.ENTRY_CREATE,
              StandardWatchEventKinds.ENTRY_MODIFY,
              StandardWatchEventKinds.ENTRY_DELETE);
    } catch (IOException e) {
      log.warn("directory cannot be watched directory={} reason={}", directory, e.toString());
      return null;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(LONGEST_END);
      if (events != null) {
        events.close();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      log.warn("watch did not close reason={}", e.toString());
    }
  }
}
