package dev.berth.api;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactoryBuilder;
import org.yaml.snakeyaml.LoaderOptions;

/// Limits of one YAML document, for every part that reads YAML.
///
/// Aliases and nesting let a short document become a huge tree, and long numbers let it take hours:
/// the limits bound the heap and the time that a document of a user can cost.
public final class YamlLimits {
  public static final int DEPTH = 200;

  /// Characters of the document as written, and again with every alias expanded.
  public static final int CHARACTERS = 4 << 20;

  /// Nodes of the document with every alias expanded.
  public static final int NODES = 1_000_000;

  /// Aliases of scalars; documents of persons and templates have a few.
  public static final int ALIASES = 10_000;

  /// Aliases of lists or maps, whose expansion grows with each level of nesting.
  public static final int COLLECTION_ALIASES = 50;

  /// A longer word is not read as a number: parsing takes time proportional to the square of its
  /// length.
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

  /// The factory for readers with Jackson, which would use the name of an alias as its value. A
  /// document with aliases is refused.
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
