package dev.berth.server.http.transport;

/// The seats and the in-flight place of a request, as the exchange sees them.
///
/// The exchange of `http.transport` knows only this interface, so it does not depend on flow
/// control.
public interface RequestSeats {
  /// Returns the seats: the work is done and the stream continues.
  void leaveSeats();

  /// Returns seats and place.
  void leave();
}
