package dev.berth.vm.guest;

import dev.berth.api.Problem;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Connects to a guest that may not be up yet.
final class GuestConnector {
  private static final Duration FIRST_ATTEMPT = Duration.ofSeconds(1);
  private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(8);
  private static final long PAUSE_MILLIS = 20;

  private final ConnectionSetup setup;
  private final long deadline;
  private String last = "nothing was tried";

  GuestConnector(ConnectionSetup setup) {
    this.setup = setup;
    this.deadline = System.nanoTime() + setup.limit().toNanos();
  }

  GuestAgent connect() {
    try {
      Duration attempt = FIRST_ATTEMPT;
      // Taking the zeros costs a restored machine several milliseconds, and seldom matters.
      boolean completing = false;
      while (true) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw timeout();
        }
        AgentConnection connection =
            new AgentConnection(setup, SocketChannel.open(StandardProtocolFamily.UNIX), completing);
        if (open(connection, Duration.ofNanos(Math.min(left, attempt.toNanos())))) {
          return new AgentClient(connection, setup.limit());
        }
        connection.ended().ifPresent(end -> last = end.problem().why());
        completing = true;
        attempt = min(attempt.multipliedBy(2), LONGEST_ATTEMPT);
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      last = "this service stopped waiting";
      throw timeout();
    } catch (IOException e) {
      throw new UncheckedIOException("no socket for guest %s".formatted(setup.guest()), e);
    }
  }

  /// An attempt that is interrupted leaves no thread.
  private static boolean open(AgentConnection connection, Duration attempt)
      throws InterruptedException {
    boolean done = false;
    try {
      done = connection.open(attempt);
      return done;
    } finally {
      if (!done) {
        connection.close();
      }
    }
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private GuestException timeout() {
    return new GuestException(
        FailureKind.TIMEOUT,
        new Problem(
            "guest %s cannot be reached".formatted(setup.guest()),
            "its program did not answer at %s within %s: %s"
                .formatted(setup.socket(), setup.limit(), last),
            "See the console of the machine"));
  }
}
