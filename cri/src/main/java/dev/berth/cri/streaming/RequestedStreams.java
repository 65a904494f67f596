package dev.berth.cri.streaming;

/// The streams that a client of `Exec` or `Attach` requests.
public record RequestedStreams(boolean stdin, boolean stdout, boolean stderr, boolean tty) {}
