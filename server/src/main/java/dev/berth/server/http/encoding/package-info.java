/// Objects, lists and watch events as JSON, YAML, protobuf and tables, and bodies back into trees;
/// which of these a client accepts.
///
/// Start at {@link dev.berth.server.http.encoding.NegotiatedFormat}.
@NullMarked
package dev.berth.server.http.encoding;

import org.jspecify.annotations.NullMarked;
