package dev.berth.api;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactoryBuilder;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.CharArrayReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;

/// Creates parsers that refuse aliases: Jackson would use the name of an alias as its value.
///
/// The factory overrides every method of Jackson that creates a parser, one per kind of source; a
/// method that is missing here would create a parser that accepts aliases.
final class AliasFreeYaml extends YAMLFactory {
  private static final long serialVersionUID = 1L;

  private AliasFreeYaml(YAMLFactoryBuilder builder) {
    super(builder);
  }

  static final class Builder extends YAMLFactoryBuilder {
    @Override
    public YAMLFactory build() {
      return new AliasFreeYaml(this);
    }
  }

  @Override
  protected YAMLParser _createParser(InputStream in, IOContext context) throws IOException {
    return parser(_createReader(in, null, context), context);
  }

  @Override
  protected YAMLParser _createParser(Reader reader, IOContext context) {
    return parser(reader, context);
  }

  @Override
  protected YAMLParser _createParser(
      char[] data, int offset, int length, IOContext context, boolean recyclable) {
    return parser(new CharArrayReader(data, offset, length), context);
  }

  @Override
  protected YAMLParser _createParser(byte[] data, int offset, int length, IOContext context)
      throws IOException {
    return parser(_createReader(data, offset, length, null, context), context);
  }

  private YAMLParser parser(Reader reader, IOContext context) {
    return new AliasFreeParser(context, _parserFeatures, _yamlParserFeatures, _objectCodec, reader);
  }

  private static final class AliasFreeParser extends YAMLParser {
    AliasFreeParser(
        IOContext context, int features, int yamlFeatures, ObjectCodec codec, Reader reader) {
      super(context, features, yamlFeatures, YamlLimits.options(), codec, reader);
    }

    @Override
    public JsonToken nextToken() throws IOException {
      JsonToken token = super.nextToken();
      if (isCurrentAlias()) {
        throw new JsonParseException(
            this,
            "\"*%s\" is an alias, and aliases are not replaced in this file: write its value out"
                .formatted(getText()),
            currentTokenLocation());
      }
      return token;
    }
  }
}
