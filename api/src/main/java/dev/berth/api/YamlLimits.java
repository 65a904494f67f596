package dev.berth.api;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactoryBuilder;
import org.yaml.snakeyaml.LoaderOptions;

/// How much one YAML document may cost, for every part that reads YAML.
public final class YamlLimits {
  public static final int DEPTH = 200;

  /// Of the document as it is written, and again with every alias replaced by what it stands for.
  public static final int CHARACTERS = 4 << 20;

  /// Of the document with every alias replaced by what it stands for.
  public static final int NODES = 1_000_000;

  /// Those that stand for scalars; a document that a person or a template wrote has a few.
  public static final int ALIASES = 10_000;

  /// Those that stand for lists or maps, which grow with each level of nesting.
  public static final int COLLECTION_ALIASES = 50;

  /// A longer word is no number: to read one takes time by the square of its length.
  public static final int NUMBER_CHARACTERS = 400;

  private YamlLimits() {}

  public static LoaderOptions options() {
    LoaderOptions options = new LoaderOptions();
    options.setNestingDepthLimit(DEPTH);
    options.setMaxAliasesForCollections(COLLECTION_ALIASES);
    options.setCodePointLimit(CHARACTERS);
    options.setAllowRecursiveKeys(false);
    return options;
  }

  /// For readers by Jackson, which would take the name of an alias for its value: a document with
  /// aliases is refused.
  public static YAMLFactoryBuilder factory() {
    return new AliasFreeYaml.Builder()
        .loaderOptions(options())
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(DEPTH)
                .maxNumberLength(NUMBER_CHARACTERS)
                .build());
  }
}
