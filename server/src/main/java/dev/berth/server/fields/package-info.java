/// Who owns which field: `metadata.managedFields` on every write, and server-side apply.
///
/// Works on trees in normal form with the schema's merge rules; pure functions, time comes in with
/// the {@link dev.berth.server.fields.WriteContext}. Start at {@link
/// dev.berth.server.fields.FieldManager}; {@link dev.berth.server.fields.FieldSet} is the data
/// structure underneath.
@NullMarked
package dev.berth.server.fields;

import org.jspecify.annotations.NullMarked;
