package dev.berth.store.embedded;

import dev.berth.store.Entry;
import dev.berth.store.Outcome;
import dev.berth.store.Write;
import dev.berth.store.memory.Change;
import dev.berth.store.memory.Held;
import dev.berth.store.memory.Prepared;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Decides what becomes of the requests of one journal transaction; touches nothing.
final class Batch<V> {
  private record Decided<V>(Request<V> request, List<Outcome<V>> outcomes) {}

  private record Accepted<V>(Row row, Change<V> change, Outcome<V> outcome) {}

  private final Function<String, @Nullable Held<V>> visible;
  private final Map<String, Optional<Held<V>>> pending = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();
  private final List<Change<V>> changes = new ArrayList<>();
  private final List<Decided<V>> decided = new ArrayList<>();
  private long revision;

  /// @param visible what the memory has for a key at the revision
  Batch(Function<String, @Nullable Held<V>> visible, long revision) {
    this.visible = visible;
    this.revision = revision;
  }

  void decide(Request<V> request) {
    for (Prepared<V> part : request.parts()) {
      if (!accepts(part.write(), current(part.key()))) {
        decided.add(new Decided<>(request, refusals(request)));
        return;
      }
    }
    accept(request);
  }

  /// Whether a write's condition holds for what its key has.
  static <V> boolean accepts(Write write, @Nullable Held<V> current) {
    return switch (write) {
      case Write.Create _ -> current == null;
      case Write.Replace(_, _, long expected) -> has(current, expected);
      case Write.Delete(_, long expected) -> has(current, expected);
    };
  }

  private static <V> boolean has(@Nullable Held<V> current, long expectedRevision) {
    return current != null && current.entry().revision() == expectedRevision;
  }

  private List<Outcome<V>> refusals(Request<V> request) {
    List<Outcome<V>> outcomes = new ArrayList<>(request.parts().size());
    for (Prepared<V> part : request.parts()) {
      outcomes.add(new Outcome.Refused<>(entry(current(part.key()))));
    }
    return outcomes;
  }

  private void accept(Request<V> request) {
    List<Accepted<V>> all = new ArrayList<>(request.parts().size());
    try {
      for (Prepared<V> part : request.parts()) {
        all.add(evaluate(part, revision + 1 + all.size()));
      }
    } catch (RuntimeException e) {
      // A value that cannot be made is its caller's mistake: the others of the group are not to
      // suffer.
      request.outcomes().completeExceptionally(e);
      return;
    }
    all.forEach(this::record);
    decided.add(new Decided<>(request, all.stream().map(Accepted::outcome).toList()));
  }

  private Accepted<V> evaluate(Prepared<V> part, long next) {
    String key = part.key();
    Held<V> previous = current(key);
    long created = previous == null ? next : previous.entry().createRevision();
    byte[] bytes = part.bytes();
    LongFunction<V> value = part.value();
    Held<V> held =
        bytes == null || value == null
            ? null
            : new Held<>(new Entry<>(key, value.apply(next), created, next), bytes.length);
    return new Accepted<>(
        new Row(key, bytes, created, next),
        new Change<>(key, next, held),
        new Outcome.Committed<>(next, entry(held), entry(previous)));
  }

  private void record(Accepted<V> accepted) {
    revision = accepted.row().revision();
    rows.add(accepted.row());
    changes.add(accepted.change());
    pending.put(accepted.row().key(), Optional.ofNullable(accepted.change().held()));
  }

  private @Nullable Held<V> current(String key) {
    Optional<Held<V>> written = pending.get(key);
    return written == null ? visible.apply(key) : written.orElse(null);
  }

  private static <V> @Nullable Entry<V> entry(@Nullable Held<V> held) {
    return held == null ? null : held.entry();
  }

  List<Row> rows() {
    return rows;
  }

  List<Change<V>> changes() {
    return changes;
  }

  /// The revision of the last change, or the one decided against when there is none.
  long revision() {
    return revision;
  }

  void complete() {
    decided.forEach(each -> each.request().outcomes().complete(each.outcomes()));
  }

  void fail(RuntimeException failure) {
    decided.forEach(each -> each.request().outcomes().completeExceptionally(failure));
  }
}
