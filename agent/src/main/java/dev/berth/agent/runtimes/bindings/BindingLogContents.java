package dev.berth.agent.runtimes.bindings;

import dev.berth.agent.runtimes.bindings.BindingLogEntry.Bound;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Completed;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Drained;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Released;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Resumed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The state that all entries together describe. Confined to its owner.
final class BindingLogContents {
  private final Map<String, PodBinding> bindings = new LinkedHashMap<>();
  private final Map<String, Instant> drained = new LinkedHashMap<>();
  private boolean complete;

  void apply(BindingLogEntry entry) {
    switch (entry) {
      case Bound(var binding) -> bindings.put(binding.podUid(), binding);
      case Released(var pod) -> bindings.remove(pod);
      case Drained(var service, var since) -> drained.put(service, since);
      case Resumed(var service) -> drained.remove(service);
      case Completed() -> complete = true;
    }
  }

  /// Entries were lost: unknown pods may be bound.
  void doubt() {
    complete = false;
  }

  /// The fewest entries that describe this state.
  List<BindingLogEntry> entries() {
    List<BindingLogEntry> entries = new ArrayList<>();
    if (complete) {
      entries.add(new Completed());
    }
    drained.forEach((service, since) -> entries.add(new Drained(service, since)));
    bindings.values().forEach(binding -> entries.add(new Bound(binding)));
    return entries;
  }

  int size() {
    return bindings.size() + drained.size() + 1;
  }

  boolean isComplete() {
    return complete;
  }

  List<PodBinding> bindings() {
    return List.copyOf(bindings.values());
  }

  Map<String, Instant> drained() {
    return Map.copyOf(drained);
  }
}
