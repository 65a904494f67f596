package dev.berth.server.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.YamlLimits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.representer.Representer;

/// Parses and writes YAML as another form of JSON; bounds depth, size and aliases.
///
/// YAML lets a small document describe a huge one: aliases are expanded in JSON, and each level of
/// aliases can multiply the size. Three bounds stop this: the number of aliases, the number of
/// nodes and the number of characters after expansion.
public final class YamlTrees {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /// Below this limit, JSON writes integral numbers without a decimal point.
  private static final double EXACT = 1e15;

  static final String TOO_MANY_ALIASES = "document contains excessive aliasing";

  private YamlTrees() {}

  /// Parses one document. JSON is a subset of YAML and the common case, so it is tried first.
  public static JsonTrees.Parsed parse(byte[] text) throws JsonSyntaxException {
    if (text.length > 0 && text[0] == '{') {
      try {
        return JsonTrees.parse(text);
      } catch (JsonSyntaxException e) {
        // Not JSON: flow-style YAML may start the same way.
      }
    }
    try {
      Loader loader = new Loader(YamlLimits.options());
      Node root = loader.compose(new String(text, StandardCharsets.UTF_8));
      List<String> duplicates = YamlDuplicates.of(root);
      JsonNode tree = new Converter().convert(loader.construct(root));
      return new JsonTrees.Parsed(SurrogatePairs.repaired(tree), duplicates);
    } catch (YAMLException e) {
      String message = YamlErrors.of(e);
      throw syntax(message.startsWith("Number of aliases") ? TOO_MANY_ALIASES : message);
    }
  }

  private static JsonSyntaxException syntax(String message) {
    return new JsonSyntaxException("yaml: " + message);
  }

  /// Composes nodes before constructing values, so that duplicate keys can be found.
  private static final class Loader extends SafeConstructor {
    private final LoaderOptions options;

    Loader(LoaderOptions options) {
      super(options);
      this.options = options;
    }

    @Nullable Node compose(String text) {
      return new Composer(new YamlEvents(text, options), new YamlScalars(), options)
          .getSingleNode();
    }

    /// The last duplicate wins; the library's own handling would write the client's keys to the
    /// log.
    @Override
    protected void processDuplicateKeys(MappingNode node, boolean forceStringKeys) {}

    @Nullable Object construct(@Nullable Node root) {
      return root == null ? null : constructDocument(root);
    }
  }

  /// Converts values to nodes and counts them, because aliases are expanded.
  private static final class Converter {
    private int nodes;
    private long characters;
    private int depth;

    JsonNode convert(@Nullable Object value) throws JsonSyntaxException {
      // A recursive alias would never end.
      if (++nodes > YamlLimits.NODES || depth > YamlLimits.DEPTH) {
        throw syntax(TOO_MANY_ALIASES);
      }
      depth++;
      try {
        return node(value);
      } finally {
        depth--;
      }
    }

    private JsonNode node(@Nullable Object value) throws JsonSyntaxException {
      return switch (value) {
        case null -> NODES.nullNode();
        case Map<?, ?> map -> object(map);
        case Collection<?> list -> array(list);
        case String text -> NODES.textNode(counted(text));
        case Boolean flag -> NODES.booleanNode(flag);
        case Integer number -> NODES.numberNode(number);
        case Long number -> NODES.numberNode(number);
        case BigInteger number -> NODES.numberNode(number);
        case Double number when !Double.isFinite(number) ->
            throw syntax("unsupported value: " + number);
        case Double number when number == Math.rint(number) && Math.abs(number) < EXACT ->
            NODES.numberNode(number.longValue());
        case Double number -> NODES.numberNode(BigDecimal.valueOf(number));
        case byte[] bytes -> NODES.textNode(counted(Base64.getEncoder().encodeToString(bytes)));
        case Date date -> NODES.textNode(date.toInstant().toString());
        default -> NODES.textNode(value.toString());
      };
    }

    /// Aliases share text in memory, but not when the object is stored or sent.
    private String counted(String text) throws JsonSyntaxException {
      characters += text.length();
      if (characters > YamlLimits.CHARACTERS) {
        throw syntax(TOO_MANY_ALIASES);
      }
      return text;
    }

    private ObjectNode object(Map<?, ?> map) throws JsonSyntaxException {
      ObjectNode object = NODES.objectNode();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        object.set(counted(String.valueOf(entry.getKey())), convert(entry.getValue()));
      }
      return object;
    }

    private ArrayNode array(Collection<?> list) throws JsonSyntaxException {
      ArrayNode array = NODES.arrayNode();
      for (Object element : list) {
        array.add(convert(element));
      }
      return array;
    }
  }

  /// Block style with sorted keys.
  public static byte[] bytes(JsonNode tree) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setIndent(2);
    options.setSplitLines(false);
    org.yaml.snakeyaml.Yaml yaml =
        new org.yaml.snakeyaml.Yaml(
            new SafeConstructor(new LoaderOptions()), new Representer(options), options);
    return yaml.dump(plain(tree)).getBytes(StandardCharsets.UTF_8);
  }

  private static Object plain(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> {
        Map<String, Object> map = new TreeMap<>();
        node.properties().forEach(entry -> map.put(entry.getKey(), plain(entry.getValue())));
        yield map;
      }
      case ARRAY -> node.valueStream().map(YamlTrees::plain).toList();
      case BOOLEAN -> node.booleanValue();
      case NUMBER -> node.numberValue();
      case NULL, MISSING -> nothing();
      default -> node.asText();
    };
  }

  @SuppressWarnings("NullAway") // The YAML library represents null by null.
  private static Object nothing() {
    return null;
  }
}
