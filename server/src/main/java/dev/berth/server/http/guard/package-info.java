/// Authentication, authorization, flow control, in-flight limits, request metrics and the audit
/// record: what every request passes before it is served.
///
/// Start at {@link dev.berth.server.http.guard.RequestGuard}.
@NullMarked
package dev.berth.server.http.guard;

import org.jspecify.annotations.NullMarked;
