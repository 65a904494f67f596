package dev.berth.agent.pods.observed;

import java.time.Duration;

/// The interval between two lists of a service: short after activity, then growing.
///
/// @param sinceActivity the time since the agent acted at the service or saw a change
/// @param listing the duration of the last list: lists must not keep a service busy, but one slow
///   list must not delay the next one for long
/// @param reported which changes the service reports by itself
/// @param expects whether some pod is about to change by itself
record RelistInterval(
    Duration sinceActivity, Duration listing, ReportedChanges reported, boolean expects) {
  /// Which changes the service reports without lists.
  enum ReportedChanges {
    NOTHING,
    EXITS,
    EVERYTHING;

    /// Whether a change in a list makes the next list come soon. Where exits are reported, most
    /// changes are the agent's own starts, and lists would take processor time from them.
    boolean isFollowedUp() {
      return this == NOTHING;
    }
  }

  /// Shortest pause between two lists: a list of a hundred pods takes a few milliseconds of a
  /// runtime.
  private static final Duration SHORTEST = Duration.ofMillis(20);

  /// Longest pause while a step is under way. It bounds how late a start or an end is noticed
  /// without events.
  private static final Duration EXPECTING = Duration.ofMillis(250);

  /// Longest pause otherwise; the kubelet relists once a second as well.
  private static final Duration IDLE = Duration.ofSeconds(1);

  /// Pause while the runtime reports every change: a list only repairs what an event missed. The
  /// kubelet waits five minutes then.
  private static final Duration EVENTS = Duration.ofSeconds(30);

  /// How much longer the pauses are while exits are reported: only starts, which the agent causes
  /// itself, are then found by lists.
  private static final int SELDOM = 10;

  /// The pause grows with the time since the last change, an eighth of it: a burst is followed
  /// closely, and its end costs few lists.
  private static final int SLOWING = 8;

  /// A pause is ten times as long as the last list took, so that lists take a tenth of the time of
  /// a slow runtime at most.
  private static final int SHARE = 10;

  Duration pause() {
    if (reported == ReportedChanges.EVERYTHING) {
      return EVENTS;
    }
    Duration often = expects ? EXPECTING : IDLE;
    Duration longest = reported == ReportedChanges.EXITS ? often.multipliedBy(SELDOM) : often;
    Duration wanted = min(sinceActivity.dividedBy(SLOWING), longest);
    return max(max(wanted, SHORTEST), min(listing.multipliedBy(SHARE), IDLE));
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
