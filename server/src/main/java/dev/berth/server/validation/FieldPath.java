package dev.berth.server.validation;

import org.jspecify.annotations.Nullable;

/// The path of a field, printed as `spec.containers[0].env[1].name`.
///
/// A linked list of parents, so that paths are cheap to build; the text is made only for an error.
///
/// A valid pod builds hundreds of paths that nobody prints: each costs one small object, and no
/// text.
public final class FieldPath {
  public static final FieldPath ROOT = new FieldPath(null, "", -1);

  private final @Nullable FieldPath parent;
  private final String name;
  private final int index;

  private FieldPath(@Nullable FieldPath parent, String name, int index) {
    this.parent = parent;
    this.name = name;
    this.index = index;
  }

  public static FieldPath of(String first) {
    return ROOT.child(first);
  }

  /// A named field; a dotted name is several.
  ///
  /// The dot of a dotted name is not interpreted; it only prints as if.
  public FieldPath child(String field) {
    return new FieldPath(this, field, -1);
  }

  public FieldPath index(int element) {
    return new FieldPath(this, "", element);
  }

  /// An element of a map: `limits[cpu]`.
  public FieldPath key(String key) {
    return new FieldPath(this, "[" + key + "]", -1);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    append(text);
    return text.toString();
  }

  private void append(StringBuilder text) {
    if (parent == null) {
      return;
    }
    parent.append(text);
    if (index >= 0) {
      text.append('[').append(index).append(']');
    } else if (name.startsWith("[")) {
      // A key of a map follows without a dot.
      text.append(name);
    } else {
      text.append(text.isEmpty() ? "" : ".").append(name);
    }
  }
}
