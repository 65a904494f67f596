package dev.berth.server.fields;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.patch.GoFormat;
import dev.berth.server.validation.GoText;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// One step from a value to a part of it.
///
/// `toString` is the form in messages (`.image`, `[name="c"]`), `encoded` the form in `fieldsV1`.
///
/// The order of the types is `Name`, `Key`, `Item`, `Index`, as upstream's; every `compareTo` below
/// is a part of it.
public sealed interface PathElement extends Comparable<PathElement> {

  /// A field of an object or an entry of a map.
  record Name(String name) implements PathElement {
    @Override
    public String encoded() {
      return "f:".concat(name);
    }

    @Override
    public int compareTo(PathElement other) {
      return other instanceof Name(String otherName) ? name.compareTo(otherName) : -1;
    }

    @Override
    public String toString() {
      return "." + name;
    }
  }

  /// An element of an associative list.
  ///
  /// @param parts the values of the list's keys, sorted by name
  record Key(List<Part> parts) implements PathElement {
    /// A key of the element and its value.
    public record Part(String name, JsonNode value) {}

    @Override
    public String encoded() {
      StringBuilder text = new StringBuilder("k:");
      char separator = '{';
      for (Part part : parts) {
        text.append(separator);
        appendQuoted(text, part.name());
        text.append(':');
        appendValue(text, part.value());
        separator = ',';
      }
      return text.append('}').toString();
    }

    @Override
    public int compareTo(PathElement other) {
      if (!(other instanceof Key(List<Part> otherParts))) {
        return other instanceof Name ? 1 : -1;
      }
      int shared = Math.min(parts.size(), otherParts.size());
      for (int i = 0; i < shared; i++) {
        int order = parts.get(i).name().compareTo(otherParts.get(i).name());
        if (order == 0) {
          order = JsonValues.compare(parts.get(i).value(), otherParts.get(i).value());
        }
        if (order != 0) {
          return order;
        }
      }
      return parts.size() - otherParts.size();
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder();
      char separator = '[';
      for (Part part : parts) {
        text.append(separator).append(part.name()).append('=').append(shown(part.value()));
        separator = ',';
      }
      return text.append(']').toString();
    }
  }

  /// An element of a set.
  record Item(JsonNode value) implements PathElement {
    @Override
    public String encoded() {
      StringBuilder text = new StringBuilder("v:");
      appendValue(text, value);
      return text.toString();
    }

    @Override
    public int compareTo(PathElement other) {
      return switch (other) {
        case Item(JsonNode otherValue) -> JsonValues.compare(value, otherValue);
        case Index _ -> -1;
        case Name _, Key _ -> 1;
      };
    }

    @Override
    public String toString() {
      return "[=" + shown(value) + "]";
    }
  }

  /// A position in a list; only decoded from old entries, never created.
  record Index(int index) implements PathElement {
    @Override
    public String encoded() {
      return "i:" + index;
    }

    @Override
    public int compareTo(PathElement other) {
      return other instanceof Index(int otherIndex) ? Integer.compare(index, otherIndex) : 1;
    }

    @Override
    public String toString() {
      return "[" + index + "]";
    }
  }

  /// The key of this element in `fieldsV1`, with the prefix of its type.
  String encoded();

  private static void appendQuoted(StringBuilder text, String value) {
    text.append('"');
    JsonStringEncoder.getInstance().quoteAsString(value, text);
    text.append('"');
  }

  private static void appendValue(StringBuilder text, JsonNode value) {
    if (value.isTextual()) {
      appendQuoted(text, value.textValue());
    } else {
      text.append(new String(JsonTrees.bytes(value), StandardCharsets.UTF_8));
    }
  }

  private static String shown(JsonNode value) {
    return value.isTextual() ? GoText.quote(value.textValue()) : GoFormat.plain(value);
  }
}
