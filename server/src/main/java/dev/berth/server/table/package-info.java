/// What `kubectl get` prints: the columns of each kind and how a row is computed.
///
/// Start at {@link dev.berth.server.table.Columns}.
@NullMarked
package dev.berth.server.table;

import org.jspecify.annotations.NullMarked;
