/// The fields of every kind that is served, as data: names, shapes, merge rules, protobuf numbers.
///
/// Start at {@link dev.berth.server.schema.ObjectSchema}. Decoding, patches, server-side apply,
/// OpenAPI and protobuf all walk these tables, so a new field is one line in `types.tsv`.
@NullMarked
package dev.berth.server.schema;

import org.jspecify.annotations.NullMarked;
