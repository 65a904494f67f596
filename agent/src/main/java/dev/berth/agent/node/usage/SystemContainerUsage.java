package dev.berth.agent.node.usage;

import dev.berth.agent.usage.ResourceUsage;
import java.time.Instant;

/// The usage of a part of the node's own system, as `/stats/summary` names it.
public record SystemContainerUsage(String name, ResourceUsage use, Instant startedAt) {}
