/// Paths that are not resources: discovery, OpenAPI, version, health, metrics, keys of tokens,
/// certificates of nodes.
///
/// Start at {@link dev.berth.server.http.endpoints.NonResourcePaths}.
@NullMarked
package dev.berth.server.http.endpoints;

import org.jspecify.annotations.NullMarked;
