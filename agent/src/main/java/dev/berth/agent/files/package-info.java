/// Files and directories that somebody else may change at any moment, such as a container in its
/// volumes: everything is found and changed by descriptors, and a symbolic link is never followed
/// unless the code says so. Needs Linux.
///
/// Start with [dev.berth.agent.files.DirectoryHandle].
@NullMarked
package dev.berth.agent.files;

import org.jspecify.annotations.NullMarked;
