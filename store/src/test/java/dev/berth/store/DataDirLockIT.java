package dev.berth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataDirLockIT {
  @TempDir Path temporary;

  /// Holds the lock of a directory until its input ends.
  static final class Holder {
    public static void main(String[] arguments) throws IOException {
      try (DataDirLock _ = DataDirLock.acquire(Path.of(arguments[0]))) {
        System.out.println("locked");
        System.in.read();
      } catch (DataDirLockedException e) {
        System.out.println("refused, held by " + e.holder());
      }
    }

    private Holder() {}
  }

  @Test
  void theMessageNamesTheProcessThatHoldsTheDirectory() throws IOException, InterruptedException {
    Path directory = temporary.resolve("data");
    Process child = ChildJvm.start(Holder.class, directory.toString());
    try {
      assertThat(child.inputReader().readLine()).isEqualTo("locked");
      assertThatThrownBy(() -> DataDirLock.acquire(directory))
          .isInstanceOf(DataDirLockedException.class)
          .hasMessageContaining(
              "in use by process %d (java %s %s)", child.pid(), Holder.class.getName(), directory);
    } finally {
      child.destroyForcibly().waitFor();
    }
    DataDirLock.acquire(directory).close();
  }

  @Test
  void aSecondAttemptInTheSameProcessDoesNotLoseTheLock() throws IOException, InterruptedException {
    Path directory = temporary.resolve("data");
    try (DataDirLock _ = DataDirLock.acquire(directory)) {
      assertThatThrownBy(() -> DataDirLock.acquire(directory))
          .isInstanceOf(DataDirLockedException.class);

      Process child = ChildJvm.start(Holder.class, directory.toString());
      try {
        assertThat(child.inputReader().readLine())
            .startsWith("refused, held by " + ProcessHandle.current().pid());
      } finally {
        child.destroyForcibly().waitFor();
      }
    }
  }
}
