package dev.berth.client.events;

import java.time.Instant;

/// Something that happened once to an object.
///
/// @param suffix of the event's name, should it be the first of its kind: the same in every try, so
///   that no event is written twice
public record EventOccurrence(
    EventSource source,
    InvolvedObject involved,
    boolean isWarning,
    String reason,
    String message,
    Instant time,
    String suffix) {}
