package dev.berth.server.resources.requests;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import java.time.Instant;

/// What a request is about and who asks: the kind in a served version, the place, the user.
///
/// @param name "" for a collection
/// @param subresource "" for the object itself
/// @param now the one moment that the whole request takes place at
public record RequestTarget(
    ResourceKind kind,
    ServedVersion version,
    String namespace,
    String name,
    String subresource,
    UserInfo user,
    AdmissionWarnings warnings,
    Instant now) {}
