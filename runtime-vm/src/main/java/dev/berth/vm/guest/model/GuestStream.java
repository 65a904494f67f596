package dev.berth.vm.guest.model;

/// A stream of output. A terminal has only `STDOUT`.
public enum GuestStream {
  STDOUT,
  STDERR
}
