package dev.berth.server.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.json.JsonTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// JSON patch (RFC 6902) on one object.
///
/// Not a library: those for Jackson neither bound the size that `copy` operations add up to nor
/// distinguish a malformed document (400) from a failed operation (422).
public final class JsonPatch {
  /// The fields of an operation.
  public static final Set<String> FIELDS = Set.of("op", "path", "from", "value");

  /// Upstream's bound: each operation may copy a part of the object.
  private static final int MAX_OPERATIONS = 10_000;

  /// Upstream's bound of all `copy` operations together: repeated copies double the object each
  /// time.
  private static final long MAX_COPIED_BYTES = 3L << 20;

  private JsonNode document;
  private long copiedBytes;

  private JsonPatch(JsonNode document) {
    this.document = document;
  }

  /// Applies a patch. Either all operations succeed or none takes effect, because they work on a
  /// copy.
  ///
  /// @throws ApiException 400 for a malformed document, 413 for too many operations, 422 for an
  ///   operation that fails
  public static ObjectNode apply(JsonNode patch, ObjectNode target) {
    List<Operation> operations = decode(patch);
    JsonPatch run = new JsonPatch(target.deepCopy());
    for (Operation operation : operations) {
      run.apply(operation);
    }
    if (run.document instanceof ObjectNode object) {
      return object;
    }
    throw ApiException.unprocessable();
  }

  private record Operation(String op, String path, String from, @Nullable JsonNode value) {
    /// The required value, copied for each use.
    JsonNode requiredValue() {
      if (value == null) {
        throw ApiException.unprocessable();
      }
      return value.deepCopy();
    }
  }

  private static List<Operation> decode(JsonNode patch) {
    if (!patch.isArray()) {
      throw undecodable(patch, "Go value of type []handlers.jsonPatchOp");
    }
    if (patch.size() > MAX_OPERATIONS) {
      throw new ApiException(
          new ApiStatus(
              413,
              "RequestEntityTooLarge",
              "Request entity too large: The allowed maximum operations in a JSON patch is %d, got %d"
                  .formatted(MAX_OPERATIONS, patch.size()),
              ApiStatus.Details.ABSENT));
    }
    List<Operation> operations = new ArrayList<>(patch.size());
    for (JsonNode entry : patch) {
      if (!entry.isObject()) {
        throw undecodable(entry, "Go value of type handlers.jsonPatchOp");
      }
      operations.add(
          new Operation(
              text(entry, "op"), text(entry, "path"), text(entry, "from"), entry.get("value")));
    }
    return operations;
  }

  /// An absent text and `null` are empty; the operation itself refuses an empty path where it needs
  /// one.
  private static String text(JsonNode entry, String name) {
    JsonNode value = entry.get(name);
    if (value == null || value.isNull()) {
      return "";
    }
    if (!value.isTextual()) {
      throw undecodable(value, "Go struct field jsonPatchOp." + name + " of type string");
    }
    return value.textValue();
  }

  private static ApiException undecodable(JsonNode value, String into) {
    return ApiException.badRequest(
        "error decoding patch: json: cannot unmarshal %s into %s"
            .formatted(GoFormat.jsonWord(value), into));
  }

  private void apply(Operation operation) {
    Pointer path = Pointer.parse(operation.path());
    switch (operation.op()) {
      case "add" -> add(path, operation.requiredValue());
      case "remove" -> remove(path);
      case "replace" -> replace(path, operation.requiredValue());
      case "move" -> {
        Pointer from = Pointer.parse(operation.from());
        // RFC 6902 forbids moving a value into one of its own children.
        if (from.isProperPrefixOf(path)) {
          throw ApiException.unprocessable();
        }
        add(path, remove(from));
      }
      case "copy" -> add(path, copied(find(Pointer.parse(operation.from()))));
      case "test" -> test(path, operation.value());
      default -> throw ApiException.unprocessable();
    }
  }

  private JsonNode copied(@Nullable JsonNode source) {
    if (source == null) {
      throw ApiException.unprocessable();
    }
    copiedBytes += JsonTrees.bytes(source).length;
    if (copiedBytes > MAX_COPIED_BYTES) {
      throw ApiException.unprocessable();
    }
    return source.deepCopy();
  }

  private void test(Pointer path, @Nullable JsonNode expected) {
    JsonNode found = find(path);
    // As in upstream's library, an absent value equals `null`.
    if (!orNull(found).equals(orNull(expected))) {
      throw ApiException.unprocessable();
    }
  }

  private static JsonNode orNull(@Nullable JsonNode value) {
    return value == null ? NullNode.instance : value;
  }

  /// Null for a field that does not exist; a position outside of a list is an error.
  private @Nullable JsonNode find(Pointer path) {
    if (path.isRoot()) {
      return document;
    }
    JsonNode parent = parent(path);
    if (parent instanceof ArrayNode array) {
      return array.get(path.index(array.size() - 1));
    }
    return parent.get(path.last());
  }

  /// Adding to a list inserts before the position, and `-` appends; adding to an object replaces
  /// (RFC 6902 section 4.1).
  private void add(Pointer path, JsonNode value) {
    if (path.isRoot()) {
      document = value;
    } else if (parent(path) instanceof ArrayNode array) {
      array.insert(path.last().equals("-") ? array.size() : path.index(array.size()), value);
    } else {
      ((ObjectNode) parent(path)).set(path.last(), value);
    }
  }

  private void replace(Pointer path, JsonNode value) {
    if (path.isRoot()) {
      document = value;
    } else if (parent(path) instanceof ArrayNode array) {
      array.set(path.index(array.size() - 1), value);
    } else if (((ObjectNode) parent(path)).replace(path.last(), value) == null) {
      throw ApiException.unprocessable();
    }
  }

  private JsonNode remove(Pointer path) {
    if (path.isRoot()) {
      throw ApiException.unprocessable();
    }
    JsonNode removed =
        parent(path) instanceof ArrayNode array
            ? array.remove(path.index(array.size() - 1))
            : ((ObjectNode) parent(path)).remove(path.last());
    if (removed == null) {
      throw ApiException.unprocessable();
    }
    return removed;
  }

  /// The container of the path's last element.
  private JsonNode parent(Pointer path) {
    JsonNode node = document;
    for (String step : path.steps().subList(0, path.steps().size() - 1)) {
      node =
          node instanceof ArrayNode array
              ? array.get(Pointer.index(step, array.size() - 1))
              : node.get(step);
      if (node == null) {
        throw ApiException.unprocessable();
      }
    }
    if (!node.isContainerNode()) {
      throw ApiException.unprocessable();
    }
    return node;
  }

  private record Pointer(List<String> steps) {
    static Pointer parse(String text) {
      if (text.isEmpty()) {
        return new Pointer(List.of());
      }
      if (text.charAt(0) != '/') {
        throw ApiException.unprocessable();
      }
      List<String> steps = new ArrayList<>();
      for (String step : text.substring(1).split("/", -1)) {
        // RFC 6901 has this order: `~01` means `~1`, not a slash.
        steps.add(step.replace("~1", "/").replace("~0", "~"));
      }
      return new Pointer(steps);
    }

    boolean isRoot() {
      return steps.isEmpty();
    }

    String last() {
      return steps.getLast();
    }

    int index(int highest) {
      return index(last(), highest);
    }

    /// RFC 6901 has no negative indices; upstream's library counts them from the end, so an element
    /// added at -1 becomes the last one.
    static int index(String step, int highest) {
      // Eight digits cannot overflow an int. A leading zero is not a number in RFC 6901.
      boolean number = step.length() < 9 && step.matches("0|-?[1-9][0-9]*");
      int given = number ? Integer.parseInt(step) : Integer.MAX_VALUE;
      int index = given < 0 ? given + highest + 1 : given;
      if (index < 0 || index > highest) {
        throw ApiException.unprocessable();
      }
      return index;
    }

    boolean isProperPrefixOf(Pointer other) {
      return other.steps.size() > steps.size()
          && other.steps.subList(0, steps.size()).equals(steps);
    }
  }
}
