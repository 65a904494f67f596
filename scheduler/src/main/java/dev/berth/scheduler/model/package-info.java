/// What scheduling needs to know of pods, nodes and classes: compact values read from JSON trees.
///
/// Uses nothing of the scheduler. Start with [dev.berth.scheduler.model.PodInfo].
@NullMarked
package dev.berth.scheduler.model;

import org.jspecify.annotations.NullMarked;
