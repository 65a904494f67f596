/// `berth agent` and `token`, and the flags and the configuration file of a node.
///
/// Start reading at {@link dev.berth.cli.node.NodeFlags}.
@NullMarked
package dev.berth.cli.node;

import org.jspecify.annotations.NullMarked;
