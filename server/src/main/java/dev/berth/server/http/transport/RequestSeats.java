package dev.berth.server.http.transport;

/// What a request holds of the server's limits, as the exchange sees it.
public interface RequestSeats {
  /// The work is done, although the stream goes on.
  void leaveSeats();

  /// The request holds nothing any more.
  void leave();
}
