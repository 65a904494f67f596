package dev.berth.server.protobuf;

import java.util.function.Supplier;

/// Takes the fields of messages in the order in which they are written.
///
/// An encoding is walked twice, first to measure and then to write, because the length of a message
/// stands before it.
sealed interface FieldSink permits LengthMeasure, ProtobufOutput {
  void string(int field, String value);

  void number(int field, long value);

  void bool(int field, boolean value);

  /// Bytes that are costly to make; only the first walk makes them.
  void bytes(int field, Supplier<byte[]> value);

  void begin(int field);

  void end();
}
