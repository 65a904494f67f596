/// The Pod Security Standards: levels, their checks by version, and what namespaces and the
/// cluster's administrator say about them.
///
/// Start at {@link dev.berth.server.podsecurity.PolicyEvaluator}. Everything here is pure: values
/// in, values out. Reasons and details are upstream's words.
@NullMarked
package dev.berth.server.podsecurity;

import org.jspecify.annotations.NullMarked;
