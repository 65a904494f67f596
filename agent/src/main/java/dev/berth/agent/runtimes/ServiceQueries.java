package dev.berth.agent.runtimes;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Parallel calls to several services with one common deadline: a hanging service costs that time
/// once, and a service known to be away costs nothing.
public final class ServiceQueries {
  private final RuntimeServices runtimes;
  private final Duration longest;
  private final long end;

  /// Starts the common deadline.
  public ServiceQueries(RuntimeServices runtimes, Duration longest) {
    this.runtimes = runtimes;
    this.longest = longest;
    this.end = System.nanoTime() + longest.toNanos();
  }

  /// The result of a call.
  public sealed interface Answer<T> {
    record Given<T>(T value) implements Answer<T> {}

    /// No answer.
    ///
    /// @param why for the administrator
    record Missing<T>(String why) implements Answer<T> {}
  }

  /// Starts a call; the supplier waits for its result.
  public <T> Supplier<Answer<T>> ask(RuntimeEndpoint service, Callable<T> question) {
    return ask(service.name(), service.health().silence(service.name()), question);
  }

  /// An image service counts as away when its runtime service is away.
  public <T> Supplier<Answer<T>> ask(ImageService service, Callable<T> question) {
    Optional<String> silence =
        runtimes.snapshot().services().stream()
            .filter(one -> one.endpoint().equals(service.endpoint()))
            .flatMap(one -> one.health().silence(one.name()).stream())
            .findFirst();
    return ask(service.name(), silence, question);
  }

  private <T> Supplier<Answer<T>> ask(
      String service, Optional<String> silence, Callable<T> question) {
    if (silence.isPresent()) {
      return () -> new Answer.Missing<>(silence.get());
    }
    FutureTask<T> task = new FutureTask<>(question);
    Thread.ofVirtual().name("question-to-" + service).start(task);
    return () -> await(task);
  }

  private <T> Answer<T> await(FutureTask<T> task) {
    try {
      return new Answer.Given<>(task.get(end - System.nanoTime(), TimeUnit.NANOSECONDS));
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return new Answer.Missing<>(String.valueOf(cause.getMessage()));
    } catch (TimeoutException _) {
      task.cancel(true);
      return new Answer.Missing<>("no answer within %d s".formatted(longest.toSeconds()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new Answer.Missing<>("the caller no longer waits for the answer");
    }
  }
}
