/// Rules that many kinds share: `metadata`, names, label selectors, addresses, paths, and how rules
/// read fields.
///
/// Start at {@link dev.berth.server.validation.fields.MetadataRules}.
@NullMarked
package dev.berth.server.validation.fields;

import org.jspecify.annotations.NullMarked;
