/// The verbs over the store: one class per verb, and what they share.
///
/// Start at {@link dev.berth.server.resources.CreateVerb} for the order of steps of a write, and at
/// {@link dev.berth.server.resources.StoredObject} for how objects lie in memory.
@NullMarked
package dev.berth.server.resources;

import org.jspecify.annotations.NullMarked;
