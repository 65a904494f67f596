/// Flags that several commands share, how their values are checked and how answers are printed.
///
/// It uses no other package of the command line. Start reading at {@link
/// dev.berth.cli.options.FlagChecks}.
@NullMarked
package dev.berth.cli.options;

import org.jspecify.annotations.NullMarked;
