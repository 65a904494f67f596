/// What `kubectl get` prints: the columns of each kind, how a row is computed, and the `Table` and
/// `PartialObjectMetadata` forms of objects.
///
/// Start at {@link dev.berth.server.table.TablePrinters} for the kinds and at {@link
/// dev.berth.server.table.TableBuilder} for the answer. Nothing here knows of HTTP or the store.
@NullMarked
package dev.berth.server.table;

import org.jspecify.annotations.NullMarked;
