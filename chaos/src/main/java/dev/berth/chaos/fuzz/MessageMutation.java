package dev.berth.chaos.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Changes one field of a protobuf message, at any depth, so that the message can still be parsed.
///
/// The parser stops broken bytes; a wrong value in a valid message reaches the code behind it.
final class MessageMutation {
  private static final long[] NUMBERS = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, 99};

  private static final List<String> TEXTS =
      List.of("", "..", "/", "../../etc/passwd", "a\u0000b", "\n", "{", "-1", "😀".repeat(300));

  private final Random random;

  MessageMutation(Random random) {
    this.random = random;
  }

  /// Returns the message unchanged when it has no field or cannot be parsed.
  byte[] change(byte[] message) {
    try {
      return change(UnknownFieldSet.parseFrom(message)).toByteArray();
    } catch (InvalidProtocolBufferException _) {
      return message;
    }
  }

  private UnknownFieldSet change(UnknownFieldSet message) {
    List<Integer> numbers = new ArrayList<>(message.asMap().keySet());
    if (numbers.isEmpty()) {
      return message;
    }
    int number = numbers.get(random.nextInt(numbers.size()));
    Field field = message.getField(number);
    UnknownFieldSet.Builder changed = message.toBuilder();
    switch (random.nextInt(8)) {
      case 0 -> changed.clearField(number);
      case 1 -> changed.mergeField(number, field);
      // The value moves to another field, where its type may be wrong.
      case 2 -> changed.clearField(number).addField(1 + random.nextInt(12), field);
      default -> changed.addField(number, changedValues(field));
    }
    return changed.build();
  }

  private Field changedValues(Field field) {
    Field.Builder changed = Field.newBuilder();
    field.getVarintList().forEach(_ -> changed.addVarint(NUMBERS[random.nextInt(NUMBERS.length)]));
    field.getFixed32List().forEach(_ -> changed.addFixed32(random.nextInt()));
    field.getFixed64List().forEach(_ -> changed.addFixed64(random.nextLong()));
    field.getGroupList().forEach(changed::addGroup);
    List<ByteString> values = field.getLengthDelimitedList();
    int chosen = values.isEmpty() ? 0 : random.nextInt(values.size());
    for (int i = 0; i < values.size(); i++) {
      changed.addLengthDelimited(i == chosen ? changedValue(values.get(i)) : values.get(i));
    }
    return changed.build();
  }

  /// Texts and messages look alike on the wire. A value that parses as a message is usually treated
  /// as one.
  private ByteString changedValue(ByteString value) {
    try {
      UnknownFieldSet inner = UnknownFieldSet.parseFrom(value);
      if (!inner.asMap().isEmpty() && random.nextInt(6) > 0) {
        return change(inner).toByteString();
      }
    } catch (InvalidProtocolBufferException _) {
      // The value is a text.
    }
    return ByteString.copyFromUtf8(TEXTS.get(random.nextInt(TEXTS.size())));
  }
}
