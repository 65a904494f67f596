package dev.berth.agent.runtimes.bindings;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The durable record of bindings: entries are appended to a file, which is rewritten when most of
/// it is obsolete. Concurrent callers share one write to the disk.
final class BindingLog implements AutoCloseable {
  /// Below this size a rewrite costs more than it saves at the next start.
  private static final int FEWEST_ENTRIES_TO_COMPACT = 1000;

  private final Path path;
  private final BindingLogFile file;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition written = lock.newCondition();

  // Confined to the thread that set `writing`.
  private final BindingLogContents contents;
  private int entriesInFile;

  // Guarded by the lock.
  private Batch open = new Batch();
  private boolean writing;
  private boolean closed;

  /// Entries that are written together. Guarded by the lock, except for the entries of a batch
  /// being written.
  private static final class Batch {
    private final List<BindingLogEntry> entries = new ArrayList<>();
    private boolean durable;
    private boolean done;
    private @Nullable IOException failure;
  }

  private BindingLog(Path path, BindingLogFile file, BindingLogContents contents) {
    this.path = path;
    this.file = file;
    this.contents = contents;
  }

  static BindingLog open(Path path) throws IOException {
    var file = new BindingLogFile(path);
    return new BindingLog(path, file, file.read());
  }

  /// The content at the start.
  BindingLogContents contents() {
    return contents;
  }

  /// Appends entries; returns when they are on the disk.
  void append(List<BindingLogEntry> entries) throws IOException {
    append(entries, true);
  }

  /// Appends entries; returns when the operating system has them, so that only a crash of the
  /// machine loses them.
  void appendLazily(List<BindingLogEntry> entries) throws IOException {
    append(entries, false);
  }

  private void append(List<BindingLogEntry> entries, boolean durable) throws IOException {
    lock.lock();
    try {
      if (closed) {
        throw new IOException("the agent is shutting down");
      }
      Batch mine = open;
      mine.entries.addAll(entries);
      mine.durable |= durable;
      while (!mine.done) {
        if (writing) {
          written.awaitUninterruptibly();
        } else {
          writeOpenBatch();
        }
      }
      if (mine.failure != null) {
        throw new IOException(
            "cannot write %s: %s".formatted(path, mine.failure.getMessage()), mine.failure);
      }
    } finally {
      lock.unlock();
    }
  }

  /// The caller holds the lock, which is released while writing.
  private void writeOpenBatch() {
    Batch batch = open;
    open = new Batch();
    writing = true;
    lock.unlock();
    try {
      write(batch);
    } catch (IOException e) {
      batch.failure = e;
    } finally {
      lock.lock();
      writing = false;
      batch.done = true;
      written.signalAll();
    }
  }

  private void write(Batch batch) throws IOException {
    boolean mostlyHistory =
        entriesInFile > FEWEST_ENTRIES_TO_COMPACT && entriesInFile > 4 * contents.size();
    try {
      if (file.isOpen() && !mostlyHistory) {
        file.append(batch.entries, batch.durable);
        entriesInFile += batch.entries.size();
      } else {
        List<BindingLogEntry> all = new ArrayList<>(contents.entries());
        all.addAll(batch.entries);
        file.writeAnew(all);
        entriesInFile = all.size();
      }
    } catch (IOException e) {
      // The file may contain a part of the batch: the next write creates a new file.
      file.close();
      throw e;
    }
    batch.entries.forEach(contents::apply);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      while (writing) {
        written.awaitUninterruptibly();
      }
      file.close();
    } finally {
      lock.unlock();
    }
  }
}
