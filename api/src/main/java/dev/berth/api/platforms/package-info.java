/// Which builds of Windows run on which: the one rule that API server, scheduler, agent and the
/// choice of index entries use. Start at `WindowsRule`.
@NullMarked
package dev.berth.api.platforms;

import org.jspecify.annotations.NullMarked;
