/// Failures as clients see them: an HTTP code and a `ApiStatus` object with upstream's words.
///
/// Start at {@link dev.berth.server.errors.ApiException}.
@NullMarked
package dev.berth.server.errors;

import org.jspecify.annotations.NullMarked;
