/// The controllers of nodes: heartbeats and conditions, taints, eviction of pods, pods of deleted
/// nodes, and the list of runtime services.
@NullMarked
package dev.berth.controllers.nodes;

import org.jspecify.annotations.NullMarked;
