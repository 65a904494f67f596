package dev.berth.server.json;

import dev.berth.api.YamlLimits;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/// Resolves unquoted YAML scalars: as in Kubernetes' tools, dates and `12:30` are strings.
final class YamlScalars extends Resolver {
  private static final Pattern WHOLE =
      Pattern.compile(
          "^[-+]?(?:0b_*[01][01_]*|0_*[0-7][0-7_]*|0x_*[0-9a-fA-F][0-9a-fA-F_]*|[1-9][0-9_]*|0)$");

  private static final Pattern DECIMAL =
      Pattern.compile(
          "^(?:[-+]?[0-9]*\\.?[0-9]+(?:[eE][-+][0-9]+)?"
              + "|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");

  /// Long scalars are strings: the regular expressions take quadratic time.
  @Override
  public Tag resolve(NodeId kind, String value, boolean implicit) {
    return kind == NodeId.scalar && implicit && value.length() > YamlLimits.NUMBER_CHARACTERS
        ? Tag.STR
        : super.resolve(kind, value, implicit);
  }

  @Override
  protected void addImplicitResolvers() {
    addImplicitResolver(Tag.BOOL, BOOL, "yYnNtTfFoO");
    addImplicitResolver(Tag.INT, WHOLE, "-+0123456789");
    addImplicitResolver(Tag.FLOAT, DECIMAL, "-+0123456789.");
    addImplicitResolver(Tag.MERGE, MERGE, "<");
    addImplicitResolver(Tag.NULL, NULL, "~nN\0");
    addImplicitResolver(Tag.NULL, EMPTY, null);
  }
}
