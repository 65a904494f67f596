package dev.berth.server.fields;

import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Formats the conflicts of an apply with other managers: one cause per field, and upstream's two
/// forms of the message, for one conflict and for several.
///
/// The order is that of the manager keys and of the paths, so equal conflicts give equal text.
/// `kubectl` prints the message as it is and reads the causes to advise `--force-conflicts`.
final class ApplyConflicts {
  private ApplyConflicts() {}

  static void throwIfAny(Map<ManagerKey, FieldSet> conflicts) {
    List<Cause> causes = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    conflicts.forEach(
        (manager, fields) -> {
          lines.add("conflicts with " + manager.description() + ":");
          fields.forEach(
              path -> {
                causes.add(
                    new Cause(
                        "FieldManagerConflict",
                        "conflict with " + manager.description(),
                        text(path)));
                lines.add("- " + text(path));
              });
        });
    if (causes.size() == 1) {
      Cause only = causes.getFirst();
      throw ApiException.applyConflict(
          "Apply failed with 1 conflict: " + only.message() + ": " + only.field(), causes);
    }
    if (!causes.isEmpty()) {
      throw ApiException.applyConflict(
          "Apply failed with " + causes.size() + " conflicts: " + String.join("\n", lines), causes);
    }
  }

  private static String text(List<PathElement> path) {
    StringBuilder text = new StringBuilder();
    path.forEach(text::append);
    return text.toString();
  }
}
