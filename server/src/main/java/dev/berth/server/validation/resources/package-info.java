/// Rules of amounts of resources: requests and limits, LimitRange and ResourceQuota.
///
/// Start at {@link dev.berth.server.validation.resources.ResourceRules}.
@NullMarked
package dev.berth.server.validation.resources;

import org.jspecify.annotations.NullMarked;
