/// What a node does when it runs short of memory, disk or process ids: when that is so, and which
/// pod goes first. Decisions only; `agent.pods` acts on them, `agent.node` reports them.
///
/// Start with [dev.berth.agent.pressure.PressureWatch].
@NullMarked
package dev.berth.agent.pressure;

import org.jspecify.annotations.NullMarked;
