package dev.berth.server.http.transport;

/// The value of a `Warning` header: code 299, no agent, the text quoted.
///
/// Upstream sends code 299 with the agent `-`; clients such as kubectl print the text. Control
/// characters become spaces: a line break would end the header.
final class WarningHeader {
  /// Bounds the size of one header.
  private static final int MAX_TEXT = 4096;

  private WarningHeader() {}

  static String format(String text) {
    String cut = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text;
    String clean = cut.replaceAll("[\\p{Cntrl}]", " ");
    return "299 - \"" + clean.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
