package dev.berth.agent.node.overhead;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Medians of the samples of one moment. A median, because one pod that starts or ends during a
/// reading would spoil an average.
record OverheadSummary(OverheadReading before, OverheadReading now) {
  /// By handler, in the order of names. Pods without a class count for the handler that runs them.
  List<SandboxOverhead> byHandler() {
    return grouped(SandboxSample::handler).entrySet().stream()
        .filter(one -> !one.getKey().isEmpty())
        .map(one -> summary(one.getKey(), one.getValue()))
        .toList();
  }

  /// By RuntimeClass; pods without one declare nothing and are left out.
  Map<String, SandboxOverhead> byClass() {
    Map<String, SandboxOverhead> classes = new TreeMap<>();
    grouped(SandboxSample::runtimeClass)
        .forEach(
            (name, samples) -> {
              if (!name.isEmpty()) {
                classes.put(name, summary(samples.getFirst().handler(), samples));
              }
            });
    return classes;
  }

  private Map<String, List<SandboxSample>> grouped(Function<SandboxSample, String> key) {
    return now.samples().stream()
        .collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
  }

  private SandboxOverhead summary(String handler, List<SandboxSample> samples) {
    List<Long> memory = samples.stream().map(SandboxSample::memoryBytes).sorted().toList();
    List<Long> rates = rates(samples);
    return new SandboxOverhead(
        handler,
        samples.size(),
        median(memory),
        memory.getLast(),
        rates.isEmpty() ? OptionalLong.empty() : OptionalLong.of(median(rates)));
  }

  private List<Long> rates(Collection<SandboxSample> samples) {
    Map<String, SandboxSample> earlier =
        before.samples().stream()
            .collect(Collectors.toMap(SandboxSample::podUid, one -> one, (a, _) -> a));
    Duration between = Duration.between(before.time(), now.time());
    List<Long> rates = new ArrayList<>();
    for (SandboxSample sample : samples) {
      SandboxSample first = earlier.get(sample.podUid());
      if (first != null) {
        sample.milliCores(first, between).ifPresent(rates::add);
      }
    }
    return rates.stream().sorted().toList();
  }

  private static long median(List<Long> sorted) {
    return sorted.get(sorted.size() / 2);
  }
}
