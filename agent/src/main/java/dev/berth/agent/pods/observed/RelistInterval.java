package dev.berth.agent.pods.observed;

import java.time.Duration;

/// How long to wait between two lists of a service: shortly after something happened only a moment,
/// then longer and longer.
///
/// @param sinceActivity since the agent did something there or something was seen to change
/// @param listing how long the last list took: lists must not keep a service busy, but one that was
///   slow for a moment is no reason to look away for long
/// @param tells what the service tells by itself
/// @param expects whether some pod is about to change by itself
record RelistInterval(Duration sinceActivity, Duration listing, Tells tells, boolean expects) {
  /// What need not be found out by listing.
  enum Tells {
    NOTHING,
    EXITS,
    EVERYTHING;

    /// Whether something new in a list is a reason to list again soon. Where exits are told, it is
    /// mostly what the agent is just starting itself, and lists would take processor time from
    /// that.
    boolean isFollowedUp() {
      return this == NOTHING;
    }
  }

  private static final Duration SHORTEST = Duration.ofMillis(20);
  private static final Duration EXPECTING = Duration.ofMillis(250);
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration EVENTS = Duration.ofSeconds(30);
  private static final int SELDOM = 10;
  private static final int SLOWING = 8;
  private static final int SHARE = 10;

  Duration pause() {
    if (tells == Tells.EVERYTHING) {
      return EVENTS;
    }
    Duration often = expects ? EXPECTING : IDLE;
    Duration longest = tells == Tells.EXITS ? often.multipliedBy(SELDOM) : often;
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
