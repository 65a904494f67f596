package dev.berth.api;

/// Why something was refused or failed, for the person who has to act.
///
/// The API `Status`, the event and the log have the same text.
///
/// @param what the effect, with the names involved
/// @param why the cause, with the values involved and the accepted ones
/// @param remedy what to do about it, as a full sentence without its full stop; may be empty
public record Problem(String what, String why, String remedy) {
  @Override
  public String toString() {
    String text = what + ": " + why;
    return remedy.isEmpty() ? text : text + ". " + remedy;
  }
}
