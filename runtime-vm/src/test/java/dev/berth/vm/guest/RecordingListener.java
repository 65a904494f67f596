package dev.berth.vm.guest;

import dev.berth.api.Problem;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.model.OutputPosition;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Keeps what a guest reports, and waits for it.
final class RecordingListener implements GuestListener {
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(60);

  /// Guarded by this object, as the fields below.
  private final Map<String, ByteArrayOutputStream> outputs = new HashMap<>();

  private final Map<String, GuestExit> exits = new HashMap<>();
  private final List<Problem> ends = new ArrayList<>();
  private final List<String> gaps = new ArrayList<>();

  /// Runs within each call with output, before it is kept.
  private Runnable knob = () -> {};

  synchronized void onOutput(Runnable runs) {
    knob = runs;
  }

  private synchronized Runnable knob() {
    return knob;
  }

  @Override
  public void output(String container, GuestStream stream, long offset, byte[] bytes) {
    knob().run();
    keep(container + "/" + stream, offset, bytes);
  }

  private synchronized void keep(String stream, long offset, byte[] bytes) {
    ByteArrayOutputStream kept = outputs.computeIfAbsent(stream, _ -> new ByteArrayOutputStream());
    if (kept.size() != offset) {
      gaps.add("%s at %d instead of %d".formatted(stream, offset, kept.size()));
    }
    kept.writeBytes(bytes);
  }

  @Override
  public synchronized void exited(String container, GuestExit exit) {
    exits.put(container, exit);
  }

  @Override
  public synchronized void disconnected(Problem reason) {
    ends.add(reason);
  }

  synchronized String text(String container, GuestStream stream) {
    ByteArrayOutputStream kept = outputs.get(container + "/" + stream);
    return kept == null ? "" : kept.toString(StandardCharsets.UTF_8);
  }

  synchronized int size(String container, GuestStream stream) {
    ByteArrayOutputStream kept = outputs.get(container + "/" + stream);
    return kept == null ? 0 : kept.size();
  }

  synchronized OutputPosition position(String container) {
    return new OutputPosition(
        size(container, GuestStream.STDOUT), size(container, GuestStream.STDERR));
  }

  /// Of all containers.
  synchronized Map<String, OutputPosition> positions() {
    Map<String, OutputPosition> positions = new HashMap<>();
    for (String stream : outputs.keySet()) {
      String container = stream.substring(0, stream.indexOf('/'));
      positions.put(container, position(container));
    }
    return positions;
  }

  /// Where bytes were missing or came twice.
  synchronized List<String> gaps() {
    return List.copyOf(gaps);
  }

  synchronized Optional<GuestExit> exit(String container) {
    return Optional.ofNullable(exits.get(container));
  }

  synchronized List<Problem> ends() {
    return List.copyOf(ends);
  }

  Problem awaitEnd() {
    await("the end of the connection", () -> !ends().isEmpty());
    return ends().getFirst();
  }

  GuestExit awaitExit(String container) {
    await("the exit of " + container, () -> exit(container).isPresent());
    return exit(container).orElseThrow();
  }

  void awaitText(String container, GuestStream stream, String text) {
    await(
        "%s of %s: %s".formatted(stream, container, text),
        () -> text(container, stream).contains(text));
  }

  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("did not happen: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}
