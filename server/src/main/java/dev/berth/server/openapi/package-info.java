/// OpenAPI documents of everything that is served: v3 per group and version, v2 as JSON and as
/// protobuf.
///
/// Start at {@link dev.berth.server.openapi.OpenApi}. Schemas come from the type tables, paths from
/// the kinds' entries, words from `descriptions.tsv`. Documents are made piece by piece when they
/// are first asked for and kept compressed, because few clients want them and idle memory counts.
@NullMarked
package dev.berth.server.openapi;

import org.jspecify.annotations.NullMarked;
