/// `berth backup` and its subcommands.
///
/// Start reading at {@link dev.berth.cli.backup.BackupCommand}.
@NullMarked
package dev.berth.cli.backup;

import org.jspecify.annotations.NullMarked;
