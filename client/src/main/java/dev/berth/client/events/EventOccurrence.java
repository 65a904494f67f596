package dev.berth.client.events;

import java.time.Instant;

/// One occurrence to report about an object.
///
/// @param suffix the suffix of the event's name if a new event is written: the same in every
///   attempt, so that no event is written twice
public record EventOccurrence(
    EventSource source,
    InvolvedObject involved,
    boolean isWarning,
    String reason,
    String message,
    Instant time,
    String suffix) {}
