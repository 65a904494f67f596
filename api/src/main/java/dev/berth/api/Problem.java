package dev.berth.api;

/// Why something was refused or failed, in words for the person who must act.
///
/// The same text goes into an API `Status`, an event and the log.
///
/// @param what what happened, with the names involved
/// @param why the cause, with the values involved and what would have been accepted
/// @param remedy what to do about it, as a full sentence without its full stop; may be empty
public record Problem(String what, String why, String remedy) {
  @Override
  public String toString() {
    String text = what + ": " + why;
    return remedy.isEmpty() ? text : text + ". " + remedy;
  }
}
