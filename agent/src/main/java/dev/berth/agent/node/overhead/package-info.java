/// What sandboxes cost beyond their containers, measured, beside what RuntimeClasses declare.
///
/// Start with `OverheadMeter`.
@NullMarked
package dev.berth.agent.node.overhead;

import org.jspecify.annotations.NullMarked;
