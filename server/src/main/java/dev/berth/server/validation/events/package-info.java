/// Rules of Event, of old and of new clients.
///
/// Start at {@link dev.berth.server.validation.events.EventValidation}.
@NullMarked
package dev.berth.server.validation.events;

import org.jspecify.annotations.NullMarked;
