/// Objects of the API server that pods refer to, with a copy for times when the server is away.
///
/// Start with [dev.berth.agent.pods.references.ApiReferences].
@NullMarked
package dev.berth.agent.pods.references;

import org.jspecify.annotations.NullMarked;
