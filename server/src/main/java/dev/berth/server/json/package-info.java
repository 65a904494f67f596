/// Bytes to trees and back: strict JSON and YAML reading, and the schema's normal form of an
/// object.
///
/// Start at {@link dev.berth.server.json.TreeNormalizer}.
@NullMarked
package dev.berth.server.json;

import org.jspecify.annotations.NullMarked;
