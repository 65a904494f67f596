package dev.berth.agent.pods.worker;

import dev.berth.client.Backoff;
import dev.berth.client.DelayedActions;
import java.time.InstantSource;

/// How workers read the time and wait.
///
/// @param backoff of attempts at the API server and of cleaning up
public record WorkerTiming(InstantSource clock, DelayedActions delays, Backoff backoff) {}
