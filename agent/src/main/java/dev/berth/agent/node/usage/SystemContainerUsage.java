package dev.berth.agent.node.usage;

import dev.berth.agent.usage.ResourceUsage;
import java.time.Instant;

/// What a part of the node's own system uses, as `/stats/summary` names it.
public record SystemContainerUsage(String name, ResourceUsage use, Instant startedAt) {}
