/// Answers for people: why a pod has no node, which nodes offer a class. Reads the server once and
/// asks the same rules as the scheduler.
@NullMarked
package dev.berth.scheduler.explain;

import org.jspecify.annotations.NullMarked;
