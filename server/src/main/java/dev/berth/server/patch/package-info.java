/// The three patch formats that carry instructions: JSON patch, JSON merge patch and strategic
/// merge patch.
///
/// Pure functions from a tree and a patch to a new tree, which the caller then normalises; neither
/// argument is changed. Server-side apply is in {@code dev.berth.server.fields}. Start at {@link
/// dev.berth.server.patch.StrategicMergePatch}.
@NullMarked
package dev.berth.server.patch;

import org.jspecify.annotations.NullMarked;
