package dev.berth.client.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.TruncatedText;
import dev.berth.client.ApiException;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceClient;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Writes events with the aggregation of upstream's client library. A repeated event raises the
/// count of the first one. From the tenth within ten minutes on, events that differ in their
/// messages only are combined. The counts of one object are written in a burst of 25, then every
/// five minutes.
///
/// Unlike upstream, the rate limit applies to repetitions only, never to the first event of its
/// kind. Safe for all threads; API calls are made without the lock.
public final class EventRecorder {
  private static final String COMBINED = "(combined from similar events): ";
  private static final int REMEMBERED = 1_000;

  /// The key of events that are counted as one.
  ///
  /// @param message [#COMBINED] for one that stands for many
  private record Subject(
      EventSource source,
      InvolvedObject involved,
      boolean isWarning,
      String reason,
      String message) {}

  private record Written(ObjectKey key, int count) {}

  /// The key of the rate limit: source and object.
  private record Reporter(EventSource source, InvolvedObject whole) {}

  private final ResourceClient<ObjectNode> events;
  private final InstantSource clock;
  private final EventSuffixes suffixes;

  /// Guards the three fields below.
  private final ReentrantLock lock = new ReentrantLock();

  /// The oldest are forgotten.
  private final Map<Subject, Written> written =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Subject, Written> eldest) {
          return size() > REMEMBERED;
        }
      };

  private final SimilarEvents similar = new SimilarEvents();
  private final EventRateLimit<Reporter> rateLimit = new EventRateLimit<>();

  public EventRecorder(ResourceClient<ObjectNode> events, InstantSource clock) {
    this.events = events;
    this.clock = clock;
    this.suffixes = new EventSuffixes(clock);
  }

  /// Creates an occurrence with the current time. This writes nothing.
  public EventOccurrence happened(
      EventSource source,
      InvolvedObject involved,
      boolean isWarning,
      String reason,
      String message) {
    String bounded = TruncatedText.of(message, TruncatedText.EVENT);
    return new EventOccurrence(
        source, involved, isWarning, reason, bounded, clock.instant(), suffixes.next());
  }

  /// Writes the event, or raises the count of an earlier one. The caller may retry with the same
  /// occurrence.
  ///
  /// @throws dev.berth.client.ClientException when the server refuses the event or does not answer
  public void write(EventOccurrence occurrence) {
    Subject subject;
    @Nullable Written before;
    lock.lock();
    try {
      subject = subject(occurrence);
      before = written.get(subject);
    } finally {
      lock.unlock();
    }
    if (before == null || !isRaised(subject, before, occurrence)) {
      create(subject, occurrence);
    }
  }

  private Subject subject(EventOccurrence occurrence) {
    String message = similar.isOneOfMany(occurrence) ? COMBINED : occurrence.message();
    return new Subject(
        occurrence.source(),
        occurrence.involved(),
        occurrence.isWarning(),
        occurrence.reason(),
        message);
  }

  /// Raises the count of an existing event; returns false when that event has expired.
  ///
  /// The write happens without the lock, so two threads may raise the same count; then one
  /// repetition is not counted, which is harmless.
  private boolean isRaised(Subject subject, Written before, EventOccurrence occurrence) {
    Reporter reporter = new Reporter(subject.source(), subject.involved().whole());
    boolean isAllowed;
    lock.lock();
    try {
      isAllowed = rateLimit.allows(reporter, occurrence.time());
    } finally {
      lock.unlock();
    }
    if (isAllowed && !isPatched(subject, before, occurrence)) {
      return false;
    }
    lock.lock();
    try {
      if (isAllowed) {
        rateLimit.written(reporter, occurrence.time());
      }
      written.put(subject, new Written(before.key(), before.count() + 1));
    } finally {
      lock.unlock();
    }
    return true;
  }

  private boolean isPatched(Subject subject, Written before, EventOccurrence occurrence) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.put("count", before.count() + 1).put("lastTimestamp", text(occurrence.time()));
    if (subject.message().equals(COMBINED)) {
      patch.put("message", message(subject, occurrence));
    }
    try {
      events.patch(before.key(), ObjectPatch.merge(patch));
      return true;
    } catch (ApiException e) {
      // The server has removed the event by age, so a new one begins.
      if (!e.isNotFound()) {
        throw e;
      }
      lock.lock();
      try {
        written.remove(subject);
      } finally {
        lock.unlock();
      }
      return false;
    }
  }

  private void create(Subject subject, EventOccurrence occurrence) {
    ObjectNode event = event(subject, occurrence);
    events.create(event);
    lock.lock();
    try {
      written.put(subject, new Written(events.codec().key(event), 1));
    } finally {
      lock.unlock();
    }
  }

  private static ObjectNode event(Subject subject, EventOccurrence occurrence) {
    InvolvedObject involved = subject.involved();
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("apiVersion", "v1").put("kind", "Event");
    event
        .putObject("metadata")
        .put("namespace", involved.eventNamespace())
        .put("name", involved.name() + "." + occurrence.suffix());
    event.set("involvedObject", involved.toJson());
    event.put("type", subject.isWarning() ? "Warning" : "Normal").put("reason", subject.reason());
    event.put("message", message(subject, occurrence)).put("count", 1);
    event.put("firstTimestamp", text(occurrence.time()));
    event.put("lastTimestamp", text(occurrence.time()));
    EventSource source = subject.source();
    ObjectNode reporter = event.putObject("source").put("component", source.component());
    if (!source.host().isEmpty()) {
      reporter.put("host", source.host());
    }
    event.put("reportingComponent", source.component()).put("reportingInstance", source.host());
    return event;
  }

  private static String message(Subject subject, EventOccurrence occurrence) {
    return subject.message().equals(COMBINED)
        ? TruncatedText.of(COMBINED + occurrence.message(), TruncatedText.EVENT)
        : subject.message();
  }

  private static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
