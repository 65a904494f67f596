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
public final class Schema {
  private static final String TABLE = "types.tsv";

  private final Map<String, ObjectType> types = new LinkedHashMap<>();

  private Schema() {}

  /// The one schema; it never changes.
  public static Schema load() {
    return Loaded.SCHEMA;
  }

  private static final class Loaded {
    static final Schema SCHEMA = read();
  }

  private static Schema read() {
    Schema schema = new Schema();
    try (InputStream table = Schema.class.getResourceAsStream(TABLE)) {
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
        new Field(
            column[1],
            shape(column[2]),
            flags.contains("r"),
            flags.contains("o"),
            flags.contains("p"),
            number(numbers[numbers.length - 1]),
            numbers.length == 1 ? 0 : number(numbers[0]),
            column[5],
            Merge.parse(column[6].replace("struct=atomic", "").replaceAll("^;|;$", ""))));
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

  private Shape shape(String text) {
    if (text.startsWith("[]")) {
      return new Shape.ListOf(shape(text.substring(2)));
    }
    if (text.startsWith("{}")) {
      return new Shape.MapOf(shape(text.substring(2)));
    }
    return switch (text) {
      case "string" -> Shape.Scalar.STRING;
      case "bytes" -> Shape.Scalar.BYTES;
      case "int32" -> Shape.Scalar.INT32;
      case "int64" -> Shape.Scalar.INT64;
      case "bool" -> Shape.Scalar.BOOL;
      case "time" -> Shape.Scalar.TIME;
      case "microtime" -> Shape.Scalar.MICRO_TIME;
      case "quantity" -> Shape.Scalar.QUANTITY;
      case "intOrString" -> Shape.Scalar.INT_OR_STRING;
      case "fields" -> Shape.Scalar.FIELDS;
      case "raw" -> Shape.Scalar.RAW;
      default -> new Shape.Struct(typeNamed(text));
    };
  }
}
