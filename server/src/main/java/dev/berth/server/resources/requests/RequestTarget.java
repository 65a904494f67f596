package dev.berth.server.resources.requests;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import java.time.Instant;

/// The target of a request: the kind in a served version, namespace, name and user.
///
/// The dispatcher builds it after authentication and authorization, so the verbs check neither. All
/// steps of a request see one time, so that timestamps within an object agree.
///
/// @param name "" for a collection
/// @param subresource "" for the object itself
/// @param now the time of the request, the same in all of its steps
public record RequestTarget(
    ResourceKind kind,
    ServedVersion version,
    String namespace,
    String name,
    String subresource,
    UserInfo user,
    AdmissionWarnings warnings,
    Instant now) {}
