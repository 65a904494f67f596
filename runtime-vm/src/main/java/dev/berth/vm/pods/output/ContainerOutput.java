package dev.berth.vm.pods.output;

import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.model.OutputPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the output of one container. What a call of [#write] got is in the log when it returns,
/// also if this process is killed right then. Safe for several threads.
public final class ContainerOutput implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ContainerOutput.class);

  private final Path path;
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<AttachedClient> clients = new CopyOnWriteArrayList<>();

  /// The lock guards this and all fields below. Null for a container without a log.
  private @Nullable LogFile file;

  private final SafePosition position;
  private boolean broken;
  private boolean closed;

  private ContainerOutput(
      Path path, InstantSource clock, @Nullable LogFile file, SafePosition position) {
    this.path = path;
    this.clock = clock;
    this.file = file;
    this.position = position;
  }

  /// Opens the log of a container, where an earlier process may have written.
  ///
  /// @param logFile empty for a container without a log
  public static ContainerOutput open(String logFile, Path positionFile, InstantSource clock)
      throws IOException {
    Path path = Path.of(logFile);
    LogFile file = logFile.isEmpty() ? null : LogFile.open(path);
    return new ContainerOutput(path, clock, file, SafePosition.open(positionFile, file));
  }

  public OutputPosition position() {
    lock.lock();
    try {
      return position.position();
    } finally {
      lock.unlock();
    }
  }

  /// Takes bytes of a stream. Those that came before are skipped: after a new connection the guest
  /// may send some again.
  public void write(GuestStream stream, long offset, byte[] bytes) {
    lock.lock();
    try {
      long skipped = position.of(stream) - offset;
      if (closed || skipped >= bytes.length) {
        return;
      }
      byte[] fresh = skipped > 0 ? Arrays.copyOfRange(bytes, (int) skipped, bytes.length) : bytes;
      if (file != null) {
        file.write(LogLines.of(clock.instant(), stream, fresh));
      }
      position.move(stream, offset + bytes.length, file);
      clients.forEach(client -> client.add(stream, fresh));
    } catch (IOException e) {
      complainOnce(e);
    } finally {
      lock.unlock();
    }
  }

  /// A log that cannot be written costs its container the output, and nothing else.
  private void complainOnce(IOException e) {
    if (!broken) {
      broken = true;
      log.warn("container log cannot be written path={} reason={}", path, e.toString());
    }
  }

  /// Writes into a new file of the same name from now on: the kubelet moved the old one away.
  public void reopen() throws IOException {
    lock.lock();
    try {
      LogFile old = file;
      if (old != null && !closed) {
        file = LogFile.open(path);
        broken = false;
        old.close();
      }
    } finally {
      lock.unlock();
    }
  }

  public void attach(AttachedClient client) {
    lock.lock();
    try {
      if (closed) {
        client.end();
      } else {
        clients.add(client);
      }
    } finally {
      lock.unlock();
    }
  }

  public void detach(AttachedClient client) {
    clients.remove(client);
    client.end();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      clients.forEach(AttachedClient::end);
      position.close();
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      complainOnce(e);
    } finally {
      lock.unlock();
    }
  }
}
