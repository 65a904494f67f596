/// Backups of a data directory: made, listed, shown and restored without a server.
///
/// It uses `process` only. Start reading at {@link dev.berth.launch.backup.BackupDirectory}.
@NullMarked
package dev.berth.launch.backup;

import org.jspecify.annotations.NullMarked;
