package dev.berth.vm.template;

import java.nio.file.Path;

/// Where templates are kept, and what their guests have.
///
/// @param directory such as `/var/lib/berth/vm/templates`
/// @param user the user id of a QEMU that makes a template
/// @param scratchBytes the size of a guest's writable disk; it takes as much as is written
public record TemplateSettings(Path directory, int user, long scratchBytes) {
  public TemplateSettings {
    directory = directory.toAbsolutePath().normalize();
  }
}
