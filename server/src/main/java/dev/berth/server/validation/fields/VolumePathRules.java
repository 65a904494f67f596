package dev.berth.server.validation.fields;

import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;

/// The rules of paths inside volumes.
public final class VolumePathRules {
  private VolumePathRules() {}

  /// Returns whether an element of the path is `..`.
  public static boolean goesUp(String path) {
    // Most paths end here: this runs for every mount of every pod.
    if (path.indexOf("..") < 0) {
      return false;
    }
    for (String element : path.split("/", -1)) {
      if (element.equals("..")) {
        return true;
      }
    }
    return false;
  }

  public static void noStepsUp(String target, FieldPath path, FieldErrors errors) {
    if (goesUp(target)) {
      errors.invalid(path, target, "must not contain '..'");
    }
  }

  /// Checks that a path is relative and never leaves its root.
  public static void descending(String target, FieldPath path, FieldErrors errors) {
    if (target.startsWith("/")) {
      errors.invalid(path, target, "must be a relative path");
    }
    noStepsUp(target, path, errors);
  }

  /// Checks that a path is descending and keeps clear of names that begin with `..`, which the node
  /// agent uses to replace files atomically.
  public static void descendingNotReserved(String target, FieldPath path, FieldErrors errors) {
    descending(target, path, errors);
    if (target.startsWith("..") && !target.startsWith("../")) {
      errors.invalid(path, target, "must not start with '..'");
    }
  }
}
