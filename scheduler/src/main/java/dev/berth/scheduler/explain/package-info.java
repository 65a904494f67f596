/// Explanations for users: why a pod has no node, and which nodes offer a RuntimeClass. Reads the
/// server once and asks the same rules as the scheduler.
@NullMarked
package dev.berth.scheduler.explain;

import org.jspecify.annotations.NullMarked;
