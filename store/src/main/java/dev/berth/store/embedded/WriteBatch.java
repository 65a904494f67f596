package dev.berth.store.embedded;

import dev.berth.store.StoreEntry;
import dev.berth.store.StoreWrite;
import dev.berth.store.WriteOutcome;
import dev.berth.store.memory.HeldEntry;
import dev.berth.store.memory.PreparedWrite;
import dev.berth.store.memory.VisibleChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Decides the outcome of the requests of one journal transaction, without side effects.
///
/// A later request of the batch sees the changes of earlier ones, although none is visible to
/// readers yet. Used by the committer's thread only.
final class WriteBatch<V> {
  private record Decided<V>(WriteRequest<V> request, List<WriteOutcome<V>> outcomes) {}

  private record Accepted<V>(JournalRow row, VisibleChange<V> change, WriteOutcome<V> outcome) {}

  private final Function<String, @Nullable HeldEntry<V>> visible;

  /// What accepted requests of this batch leave behind; empty for a deleted key.
  private final Map<String, Optional<HeldEntry<V>>> pending = new HashMap<>();

  private final List<JournalRow> rows = new ArrayList<>();
  private final List<VisibleChange<V>> changes = new ArrayList<>();
  private final List<Decided<V>> decided = new ArrayList<>();
  private long revision;

  /// @param visible the entry of a key in memory at the revision
  WriteBatch(Function<String, @Nullable HeldEntry<V>> visible, long revision) {
    this.visible = visible;
    this.revision = revision;
  }

  void decide(WriteRequest<V> request) {
    for (PreparedWrite<V> part : request.parts()) {
      if (!accepts(part.write(), current(part.key()))) {
        decided.add(new Decided<>(request, refusals(request)));
        return;
      }
    }
    accept(request);
  }

  /// Whether a write's condition holds for what its key has.
  static <V> boolean accepts(StoreWrite write, @Nullable HeldEntry<V> current) {
    return switch (write) {
      case StoreWrite.Create _ -> current == null;
      case StoreWrite.Replace(_, _, long expected) -> has(current, expected);
      case StoreWrite.Delete(_, long expected) -> has(current, expected);
    };
  }

  private static <V> boolean has(@Nullable HeldEntry<V> current, long expectedRevision) {
    return current != null && current.entry().revision() == expectedRevision;
  }

  private List<WriteOutcome<V>> refusals(WriteRequest<V> request) {
    List<WriteOutcome<V>> outcomes = new ArrayList<>(request.parts().size());
    for (PreparedWrite<V> part : request.parts()) {
      outcomes.add(new WriteOutcome.Refused<>(entry(current(part.key()))));
    }
    return outcomes;
  }

  /// Evaluates all parts before it records any: a transaction is accepted as a whole.
  private void accept(WriteRequest<V> request) {
    List<Accepted<V>> all = new ArrayList<>(request.parts().size());
    try {
      for (PreparedWrite<V> part : request.parts()) {
        all.add(evaluate(part, revision + 1 + all.size()));
      }
    } catch (RuntimeException e) {
      // A value that cannot be decoded is its caller's error and must not fail the rest of the
      // group.
      request.outcomes().completeExceptionally(e);
      return;
    }
    all.forEach(this::record);
    decided.add(new Decided<>(request, all.stream().map(Accepted::outcome).toList()));
  }

  private Accepted<V> evaluate(PreparedWrite<V> part, long next) {
    String key = part.key();
    HeldEntry<V> previous = current(key);
    long created = previous == null ? next : previous.entry().createRevision();
    byte[] bytes = part.bytes();
    LongFunction<V> value = part.value();
    HeldEntry<V> held =
        bytes == null || value == null
            ? null
            : new HeldEntry<>(
                new StoreEntry<>(key, value.apply(next), created, next), bytes.length);
    return new Accepted<>(
        new JournalRow(key, bytes, created, next),
        new VisibleChange<>(key, next, held),
        new WriteOutcome.Committed<>(next, entry(held), entry(previous)));
  }

  private void record(Accepted<V> accepted) {
    revision = accepted.row().revision();
    rows.add(accepted.row());
    changes.add(accepted.change());
    pending.put(accepted.row().key(), Optional.ofNullable(accepted.change().held()));
  }

  private @Nullable HeldEntry<V> current(String key) {
    Optional<HeldEntry<V>> written = pending.get(key);
    return written == null ? visible.apply(key) : written.orElse(null);
  }

  private static <V> @Nullable StoreEntry<V> entry(@Nullable HeldEntry<V> held) {
    return held == null ? null : held.entry();
  }

  List<JournalRow> rows() {
    return rows;
  }

  List<VisibleChange<V>> changes() {
    return changes;
  }

  /// The revision of the last change; without changes, the revision that the decisions are based
  /// on.
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
