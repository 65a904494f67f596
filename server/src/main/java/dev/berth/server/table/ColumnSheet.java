package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/// Columns that are computed independently of each other: pairs of header and cell.
///
/// Sheets are made once at class loading; cells must not depend on anything but the object and the
/// time.
final class ColumnSheet implements KindColumns {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int ALWAYS = 0;
  private static final int WIDE = 1;

  private final List<Column> definitions = new ArrayList<>();
  private final List<BiFunction<ObjectNode, Instant, JsonNode>> cells = new ArrayList<>();

  private ColumnSheet() {}

  static ColumnSheet named() {
    ColumnSheet sheet = new ColumnSheet();
    sheet.definitions.add(nameColumn(ALWAYS));
    sheet.cells.add((object, _) -> NODES.textNode(TableCells.name(object)));
    return sheet;
  }

  /// Starts without the column NAME.
  static ColumnSheet unnamed() {
    return new ColumnSheet();
  }

  static Column nameColumn(int priority) {
    return new Column(
        "Name", "string", "name", "Name of the object, unique within its namespace.", priority);
  }

  static Column ageColumn() {
    return new Column("Age", "string", "", "Time since the object was created.", ALWAYS);
  }

  ColumnSheet wideName() {
    definitions.add(nameColumn(WIDE));
    cells.add((object, _) -> NODES.textNode(TableCells.name(object)));
    return this;
  }

  /// The age is computed when the table is made; a client that shows the table later shows the old
  /// age.
  ColumnSheet age() {
    definitions.add(ageColumn());
    cells.add((object, now) -> NODES.textNode(TableCells.age(object, now)));
    return this;
  }

  ColumnSheet text(String name, String description, Function<ObjectNode, String> cell) {
    return text(name, description, ALWAYS, (object, _) -> cell.apply(object));
  }

  ColumnSheet text(String name, String description, BiFunction<ObjectNode, Instant, String> cell) {
    return text(name, description, ALWAYS, cell);
  }

  /// Adds a column that is shown with `-o wide` only, by priority 1.
  ColumnSheet wide(String name, String description, Function<ObjectNode, String> cell) {
    return text(name, description, WIDE, (object, _) -> cell.apply(object));
  }

  ColumnSheet wide(String name, String description, BiFunction<ObjectNode, Instant, String> cell) {
    return text(name, description, WIDE, cell);
  }

  private ColumnSheet text(
      String name, String description, int priority, BiFunction<ObjectNode, Instant, String> cell) {
    definitions.add(new Column(name, "string", "", description, priority));
    cells.add((object, now) -> NODES.textNode(cell.apply(object, now)));
    return this;
  }

  /// The client formats the time, because the column has the type `date`.
  ColumnSheet date(String name, String description, Function<ObjectNode, String> cell) {
    definitions.add(new Column(name, "date", "", description, ALWAYS));
    cells.add((object, _) -> NODES.textNode(cell.apply(object)));
    return this;
  }

  ColumnSheet integer(String name, String description, ToIntFunction<ObjectNode> cell) {
    return number(name, "integer", description, ALWAYS, cell);
  }

  ColumnSheet flag(String name, String description, Predicate<ObjectNode> cell) {
    definitions.add(new Column(name, "boolean", "", description, ALWAYS));
    cells.add((object, _) -> NODES.booleanNode(cell.test(object)));
    return this;
  }

  /// Adds a number whose declared type is `string`, as upstream has it for several kinds.
  ColumnSheet count(String name, String description, ToIntFunction<ObjectNode> cell) {
    return number(name, "string", description, ALWAYS, cell);
  }

  ColumnSheet wideCount(String name, String description, ToIntFunction<ObjectNode> cell) {
    return number(name, "string", description, WIDE, cell);
  }

  private ColumnSheet number(
      String name, String type, String description, int priority, ToIntFunction<ObjectNode> cell) {
    definitions.add(new Column(name, type, "", description, priority));
    cells.add((object, _) -> NODES.numberNode(cell.applyAsInt(object)));
    return this;
  }

  /// The columns that every kind with a pod template shows with `-o wide`.
  ColumnSheet template() {
    return wide("Containers", "Names of the template's containers.", TableCells::containerNames)
        .wide("Images", "Images of the template's containers.", TableCells::containerImages);
  }

  ColumnSheet selector() {
    return wide(
        "Selector",
        "Labels by which pods are counted as this object's.",
        object -> SelectorText.of(TableCells.at(object, "spec", "selector")));
  }

  @Override
  public List<Column> definitions() {
    return definitions;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    List<JsonNode> row = new ArrayList<>(cells.size());
    cells.forEach(cell -> row.add(cell.apply(object, now)));
    return row;
  }
}
