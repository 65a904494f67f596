/// Amounts of resources: the total of a pod, and the usage of an object in a quota.
///
/// Shared by the API server, which admits objects against quotas and limits, and the controller
/// that counts usage; both must come to the same numbers.
@NullMarked
package dev.berth.api.resources;

import org.jspecify.annotations.NullMarked;
