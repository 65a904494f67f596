package dev.berth.cli.options;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The heading under which `--help` lists an option. On a class, it holds for all options that the
/// class declares; on a field, for that option.
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD})
public @interface OptionSection {
  /// Such as `Serving`; the help appends `options:`.
  String value();
}
