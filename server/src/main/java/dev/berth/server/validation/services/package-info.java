/// Rules of Service and Endpoints.
///
/// Start at {@link dev.berth.server.validation.services.ServiceValidation}.
@NullMarked
package dev.berth.server.validation.services;

import org.jspecify.annotations.NullMarked;
