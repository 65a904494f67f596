package dev.berth.server.admission.quotas;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.ResourceAmounts;
import dev.berth.server.admission.Writes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Quotas of one namespace in a map, with a knob for what others do between reading and writing.
public final class FakeQuotas implements QuotaStore {
  private final Map<String, StoredQuota> quotas = new TreeMap<>();
  final AtomicInteger writes = new AtomicInteger();
  private @Nullable Consumer<FakeQuotas> interference;

  /// A quota whose status is counted; amounts as JSON with single quotes.
  synchronized FakeQuotas with(String name, String hard, String used) {
    return with(name, "{}", hard, used);
  }

  synchronized FakeQuotas with(String name, String spec, String hard, String used) {
    ObjectNode object =
        Writes.json(
            "{'metadata':{'name':'%s'},'spec':%s,'status':{'hard':%s,'used':%s}}"
                .formatted(name, spec, hard, used));
    StoredQuota before = quotas.get(name);
    quotas.put(name, StoredQuota.of(object, before == null ? 1 : before.revision() + 1));
    return this;
  }

  /// What somebody else does right before the next write, once.
  synchronized void interfere(Consumer<FakeQuotas> other) {
    interference = other;
  }

  synchronized String used(String name) {
    StoredQuota quota = quotas.get(name);
    return quota == null ? "" : quota.used().toString();
  }

  @Override
  public synchronized List<StoredQuota> quotas(String namespace) {
    return List.copyOf(quotas.values());
  }

  @Override
  public synchronized Change setUsed(StoredQuota expected, ResourceAmounts used) {
    Consumer<FakeQuotas> other = interference;
    if (other != null) {
      interference = null;
      other.accept(this);
    }
    StoredQuota current = quotas.get(expected.name());
    if (current == null || current.revision() != expected.revision()) {
      return new Change(false, current);
    }
    writes.incrementAndGet();
    ObjectNode object = expected.object().deepCopy();
    used.writeTo(object.withObject("/status").putObject("used"));
    StoredQuota next = StoredQuota.of(object, expected.revision() + 1);
    quotas.put(expected.name(), next);
    return new Change(true, next);
  }
}
