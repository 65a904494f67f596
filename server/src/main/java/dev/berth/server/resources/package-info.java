/// The verbs over the store: one class per verb, and what they share.
///
/// Start at {@link dev.berth.server.resources.ResourceVerbs}.
@NullMarked
package dev.berth.server.resources;

import org.jspecify.annotations.NullMarked;
