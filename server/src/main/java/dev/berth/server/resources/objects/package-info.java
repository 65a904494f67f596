/// Stored objects: keys, bytes and memory, and what follows them inside the server.
///
/// Start at {@link dev.berth.server.resources.objects.ObjectStore}.
@NullMarked
package dev.berth.server.resources.objects;

import org.jspecify.annotations.NullMarked;
