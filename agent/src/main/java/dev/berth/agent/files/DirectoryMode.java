package dev.berth.agent.files;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The rights of directories created within another one: those of that one.
///
/// @param self the user that the agent runs as
record DirectoryMode(int permissions, int group, int self) {
  /// The initial mode, before rights are set.
  static final int NONE = 0700;

  private static final int SET_GROUP = 02000;

  static DirectoryMode of(DirectoryHandle root) throws IOException {
    FileStatus status = root.self().status();
    return new DirectoryMode(status.permissions(), status.group(), ownUser());
  }

  private static int ownUser() throws IOException {
    return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }

  /// Applies only to directories that the agent has just created: another user's directory in its
  /// place must not be opened to all.
  void give(LinuxCalls calls, int directory, Object subject) throws IOException {
    FileStatus made = calls.status(directory, subject);
    if (made.user() != self || made.permissions() != (NONE | (made.permissions() & SET_GROUP))) {
      throw new FileSystemException(
          subject.toString(), null, "a directory in it was replaced while it was made");
    }
    if ((permissions & SET_GROUP) != 0) {
      calls.setOwner(directory, -1, group, subject);
    }
    calls.setMode(directory, permissions, subject);
  }
}
