package dev.berth.sim.knobs;

import java.util.regex.Pattern;

/// A pattern in which `*` matches any text. The empty pattern matches everything.
public final class GlobPattern {
  public static final GlobPattern ANYTHING = new GlobPattern("");

  private final String text;
  private final Pattern pattern;

  public GlobPattern(String text) {
    this.text = text;
    // Everything but the asterisk is quoted: a dot in the name of an image means a dot.
    this.pattern = Pattern.compile(Pattern.quote(text).replace("*", "\\E.*\\Q"));
  }

  public boolean fits(String value) {
    return text.isEmpty() || pattern.matcher(value).matches();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GlobPattern glob && glob.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
