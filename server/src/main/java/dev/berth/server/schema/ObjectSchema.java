package dev.berth.server.schema;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// All object types by name, read once from the table `types.tsv`.
///
/// The table has upstream's types with their protobuf numbers, defaults and merge rules; decoding,
/// validation of types, apply and OpenAPI read it. It is loaded on the first use, once per process,
/// and never changes, so any thread may read it.
public final class ObjectSchema {
  private static final String TABLE = "types.tsv";

  private final Map<String, ObjectType> types = new LinkedHashMap<>();

  private ObjectSchema() {}

  /// The one schema; it never changes.
  public static ObjectSchema load() {
    return Loaded.SCHEMA;
  }

  private static final class Loaded {
    static final ObjectSchema SCHEMA = read();
  }

  private static ObjectSchema read() {
    ObjectSchema schema = new ObjectSchema();
    try (InputStream table = ObjectSchema.class.getResourceAsStream(TABLE)) {
      if (table == null) {
        throw new IllegalStateException("resource " + TABLE + " is missing from the server's jar");
      }
      new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8))
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith("type\t"))
          .forEach(schema::addRow);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return schema;
  }

  public ObjectType type(String name) {
    ObjectType type = types.get(name);
    if (type == null || type.fields().isEmpty()) {
      throw new IllegalArgumentException("no type " + name + " in " + TABLE);
    }
    return type;
  }

  public Collection<ObjectType> types() {
    return types.values();
  }

  private void addRow(String line) {
    String[] column = line.split("\t", -1);
    String flags = column[3];
    String[] numbers = column[4].split("/", -1);
    ObjectType owner = typeNamed(column[0]);
    owner.add(
        new SchemaField(
            column[1],
            shape(column[2]),
            flags.contains("r"),
            flags.contains("o"),
            flags.contains("p"),
            number(numbers[numbers.length - 1]),
            numbers.length == 1 ? 0 : number(numbers[0]),
            column[5],
            MergeRule.parse(column[6].replace("struct=atomic", "").replaceAll("^;|;$", ""))));
    if (column[6].contains("struct=atomic")) {
      owner.markAtomic();
    }
  }

  private static int number(String text) {
    return text.isEmpty() ? 0 : Integer.parseInt(text);
  }

  private ObjectType typeNamed(String name) {
    return types.computeIfAbsent(name, ObjectType::new);
  }

  private ValueShape shape(String text) {
    if (text.startsWith("[]")) {
      return new ValueShape.ListOf(shape(text.substring(2)));
    }
    if (text.startsWith("{}")) {
      return new ValueShape.MapOf(shape(text.substring(2)));
    }
    return switch (text) {
      case "string" -> ValueShape.Scalar.STRING;
      case "bytes" -> ValueShape.Scalar.BYTES;
      case "int32" -> ValueShape.Scalar.INT32;
      case "int64" -> ValueShape.Scalar.INT64;
      case "bool" -> ValueShape.Scalar.BOOL;
      case "time" -> ValueShape.Scalar.TIME;
      case "microtime" -> ValueShape.Scalar.MICRO_TIME;
      case "quantity" -> ValueShape.Scalar.QUANTITY;
      case "intOrString" -> ValueShape.Scalar.INT_OR_STRING;
      case "fields" -> ValueShape.Scalar.FIELDS;
      case "raw" -> ValueShape.Scalar.RAW;
      default -> new ValueShape.Struct(typeNamed(text));
    };
  }
}
