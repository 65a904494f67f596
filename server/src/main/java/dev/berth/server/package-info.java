/// The API server: Kubernetes' REST over a store.
///
/// Start at {@link dev.berth.server.ApiServer}. Packages, from the wire inwards: `http` > `auth`,
/// `admission`, `resources` > `patch`, `fields` > `kinds` > `defaults`, `validation`, `table` >
/// `schema`, `json`, `errors`.
@NullMarked
package dev.berth.server;

import org.jspecify.annotations.NullMarked;
