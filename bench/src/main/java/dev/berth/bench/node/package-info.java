/// How fast a node starts pods, and what its processes cost.
///
/// Start with [dev.berth.bench.node.NodeBench].
@NullMarked
package dev.berth.bench.node;

import org.jspecify.annotations.NullMarked;
