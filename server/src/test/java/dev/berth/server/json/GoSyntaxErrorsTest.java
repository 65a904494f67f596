package dev.berth.server.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoSyntaxErrorsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "nope | invalid character 'o' in literal null (expecting 'u')",
        "nul | invalid character ' ' in literal null (expecting 'l')",
        "{\"a\":tru} | invalid character '}' in literal true (expecting 'e')",
        "fa_se | invalid character '_' in literal false (expecting 'l')",
        "{\"a\" 1} | invalid character '1' after object key",
        "{\"a\":1,} | invalid character '}' looking for beginning of object key string",
        "{a:1} | invalid character 'a' looking for beginning of object key string",
        "{'a':1} | invalid character '\\'' looking for beginning of object key string",
        "{\"a\":1 \"b\":2} | invalid character '\"' after object key:value pair",
        "[1 2] | invalid character '2' after array element",
        "[1,] | invalid character ']' looking for beginning of value",
        "{} x | invalid character 'x' after top-level value",
        "{} {} | invalid character '{' after top-level value",
        "apiVersion: v1 | invalid character 'a' looking for beginning of value",
        "\"\\q\" | invalid character 'q' in string escape code",
        "\"\\u12g4\" | invalid character 'g' in \\u hexadecimal character escape",
        "{\"a\":-} | invalid character '}' in numeric literal",
        "{\"a\":01} | invalid character '1' after object key:value pair",
        "{\"a\":1.} | invalid character '}' after decimal point in numeric literal",
        "{\"a\":1e} | invalid character '}' in exponent of numeric literal",
        "1.5e+ | invalid character ' ' in exponent of numeric literal",
        "\"abc | unexpected end of JSON input",
        "{\"a\": | unexpected end of JSON input",
        "[{\"a\":[1 | unexpected end of JSON input",
      })
  void mistakesAreToldAsGoTellsThem(String json, String words) {
    assertThat(refusal(bytes(json))).isEqualTo(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t"})
  void nothingIsAnUnexpectedEnd(String json) {
    assertThat(refusal(bytes(json))).isEqualTo("unexpected end of JSON input");
  }

  @ParameterizedTest
  @CsvSource({
    "1, \\x01",
    "0, \\x00",
    "7, \\a",
    "9, \\t",
    "10, \\n",
    "11, \\v",
    "13, \\r",
    "31, \\x1f",
  })
  void controlCharactersAreEscaped(int character, String shown) {
    assertThat(refusal(bytes("\"a" + (char) character + "b\"")))
        .isEqualTo("invalid character '%s' in string literal".formatted(shown));
  }

  @ParameterizedTest
  @CsvSource({"207, Ï", "239, ï", "128, \\u0080", "160, \\u00a0", "173, \\u00ad", "127, \\x7f"})
  void aByteIsShownAsTheCharacterOfItsNumber(int number, String shown) {
    assertThat(refusal(new byte[] {(byte) number}))
        .isEqualTo("invalid character '%s' looking for beginning of value".formatted(shown));
  }

  @Test
  void bytesThatLookLikeAnotherEncodingAreNoSurprise() {
    assertThat(refusal(new byte[] {0, 0, 0, '{', (byte) 0xff}))
        .isEqualTo("invalid character '\\x00' looking for beginning of value");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "1e5",
        "-1.5E-7",
        "[]",
        "{}",
        "[1,{\"a\":null}]",
        " true ",
        "\"\\u00e4\""
      })
  void whatIsJsonPasses(String json) throws Exception {
    GoSyntaxErrors.check(bytes(json));
    JsonTrees.parse(bytes(json));
  }

  @Test
  void deepDocumentsAreGivenUp() {
    assertThatThrownBy(() -> GoSyntaxErrors.check(bytes("[".repeat(100_000))))
        .hasMessage("exceeded max depth");
  }

  @Test
  void whatIsNotUtf8BecomesTheReplacementCharacter() throws Exception {
    byte[] json = bytes("{\"a\":\"x?y\"}");
    json[7] = (byte) 0xff;
    assertThat(JsonTrees.parse(json).tree().path("a").asText()).isEqualTo("x\ufffdy");
  }

  @Test
  void halvesOfSurrogatePairsDoToo() throws Exception {
    String json = "{\"a\":[\"a\\ud800b\",\"\\udc00\",\"\\ud83d\\ude00\",\"\\\\ud800\"]}";
    assertThat(JsonTrees.parse(bytes(json)).tree().path("a"))
        .hasToString("[\"a\ufffdb\",\"\ufffd\",\"😀\",\"\\\\ud800\"]");
    assertThat(YamlTrees.parse(bytes("a: \"\\ud800\"")).tree().path("a").asText())
        .isEqualTo("\ufffd");
  }

  private static String refusal(byte[] json) {
    try {
      return "taken: " + JsonTrees.parse(json).tree();
    } catch (JsonSyntaxException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
