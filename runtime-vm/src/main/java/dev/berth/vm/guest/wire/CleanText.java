package dev.berth.vm.guest.wire;

/// A guest's text for events, logs and terminals, with nothing that could control them.
public final class CleanText {
  private static final int MAXIMUM = 1000;

  private CleanText() {}

  public static String of(String text) {
    StringBuilder clean = new StringBuilder();
    text.codePoints()
        .limit(MAXIMUM)
        .map(point -> isPlain(point) ? point : '?')
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  private static boolean isPlain(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
