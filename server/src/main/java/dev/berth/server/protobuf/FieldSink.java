package dev.berth.server.protobuf;

import java.util.function.Supplier;

/// Receives the fields of messages in their order.
///
/// An encoder runs twice, first to measure and then to write, because the length of a message
/// precedes it.
///
/// Both walks must make the same calls in the same order; the second one takes the measured lengths
/// from a queue. Numbers are field numbers of the protobuf definition.
sealed interface FieldSink permits LengthMeasure, ProtobufOutput {
  void string(int field, String value);

  void number(int field, long value);

  void bool(int field, boolean value);

  /// Writes expensive bytes, which only the first walk computes.
  void bytes(int field, Supplier<byte[]> value);

  /// Begins a message that is the value of the field; `end` closes the innermost open message.
  void begin(int field);

  void end();
}
