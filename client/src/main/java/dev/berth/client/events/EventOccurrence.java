package dev.berth.client.events;

import java.time.Instant;

/// An occurrence to report about an object. The recorder makes it when something happens; it may be
/// written later and more than once without becoming another event.
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
