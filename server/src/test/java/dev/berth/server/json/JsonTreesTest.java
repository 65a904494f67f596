package dev.berth.server.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTreesTest {
  @Test
  void duplicateKeysAreNotedAndTheLastOneWins() throws Exception {
    JsonTrees.Parsed parsed =
        JsonTrees.parse(bytes("{\"a\":{\"b\":[{\"c\":1,\"c\":2}]},\"d\":1,\"d\":3}"));
    assertThat(parsed.duplicates()).containsExactly("a.b[0].c", "d");
    assertThat(parsed.tree().path("d").asInt()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{\"a\":", "{} {}", "nope", "{\"a\":1,}"})
  void brokenJsonIsRefused(String text) {
    assertThatThrownBy(() -> JsonTrees.parse(bytes(text))).isInstanceOf(JsonSyntaxException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "UTF-16LE | invalid character '\\x00' looking for beginning of object key string",
        "UTF-16BE | invalid character '\\x00' looking for beginning of value",
        "UTF-16 | invalid character 'þ' looking for beginning of value",
        "UTF-32LE | invalid character '\\x00' looking for beginning of object key string",
        "UTF-32BE | invalid character '\\x00' looking for beginning of value"
      })
  void jsonIsUtf8AndNothingElse(String charset, String why) {
    byte[] text = "{\"a\":1}".getBytes(Charset.forName(charset));
    assertThatThrownBy(() -> JsonTrees.parse(text))
        .isInstanceOf(JsonSyntaxException.class)
        .hasMessage(why);
    assertThatThrownBy(() -> YamlTrees.parse(text)).isInstanceOf(JsonSyntaxException.class);
  }

  @Test
  void aByteOrderMarkIsNoJson() {
    assertThatThrownBy(() -> JsonTrees.parse(bytes("\ufeff{}")))
        .isInstanceOf(JsonSyntaxException.class)
        .hasMessage("invalid character 'ï' looking for beginning of value");
  }

  @Test
  void deepNestingIsRefusedBeforeItHurts() {
    assertThatThrownBy(() -> JsonTrees.parse(bytes("[".repeat(100_000))))
        .isInstanceOf(JsonSyntaxException.class);
    assertThatThrownBy(() -> YamlTrees.parse(bytes("[".repeat(100_000))))
        .isInstanceOf(JsonSyntaxException.class);
  }

  @Test
  void aYamlBombIsRefused() {
    StringBuilder bomb = new StringBuilder("a: &a [x,x,x,x,x,x,x,x,x]\n");
    for (char c = 'b'; c <= 'i'; c++) {
      char before = (char) (c - 1);
      bomb.append(c).append(": &").append(c).append(" [");
      bomb.append(("*" + before + ",").repeat(8)).append("*").append(before).append("]\n");
    }
    assertThatThrownBy(() -> YamlTrees.parse(bytes(bomb.toString())))
        .isInstanceOf(JsonSyntaxException.class);
  }

  @Test
  void yamlWithAnchorsIsExpanded() throws Exception {
    assertThat(YamlTrees.parse(bytes("a: &x {k: v}\nb: *x\n")).tree())
        .hasToString("{\"a\":{\"k\":\"v\"},\"b\":{\"k\":\"v\"}}");
  }

  @ParameterizedTest
  @CsvSource({
    "2024-05-01, \"2024-05-01\"",
    "2024-05-01T10:00:00Z, \"2024-05-01T10:00:00Z\"",
    "12:30, \"12:30\"",
    "12:30.5, \"12:30.5\"",
    "=, \"=\"",
    "1e3, \"1e3\"",
    "0644, 420",
    "-7, -7",
    "1_000, 1000",
    "1.50, 1.5",
    "1e+3, 1000",
    "yes, true",
    "~, null",
    "12Gi, \"12Gi\"",
  })
  void unquotedWordsOfYamlAreWhatTheyAreToKubernetes(String word, String json) throws Exception {
    assertThat(YamlTrees.parse(bytes("a: " + word)).tree().get("a")).hasToString(json);
  }

  @Test
  void duplicateKeysOfYamlAreNotedToo() throws Exception {
    JsonTrees.Parsed parsed =
        YamlTrees.parse(bytes("a: {b: [{c: 1, c: 2}]}\nd: &d {e: 1, e: 2}\nd: *d\n"));
    assertThat(parsed.duplicates()).containsExactly("a.b[0].c", "d.e", "d");
    assertThat(parsed.tree()).hasToString("{\"a\":{\"b\":[{\"c\":2}]},\"d\":{\"e\":2}}");
  }

  @Test
  void keysOfClientsAreNotWrittenToTheLog() throws Exception {
    List<String> logged = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            logged.add(entry.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger.getLogger("").addHandler(handler);
    try {
      YamlTrees.parse(bytes("twice: 1\ntwice: 2\n"));
    } finally {
      Logger.getLogger("").removeHandler(handler);
    }
    assertThat(logged).noneMatch(line -> line.contains("twice"));
  }

  @Test
  void mergedKeysOfYamlAreNoDuplicates() throws Exception {
    JsonTrees.Parsed parsed = YamlTrees.parse(bytes("a: &x {k: v}\nb: {<<: *x, k: w}\n"));
    assertThat(parsed.duplicates()).isEmpty();
    assertThat(parsed.tree().at("/b/k").asText()).isEqualTo("w");
  }

  @Test
  void whatJsonCannotSayIsRefused() {
    assertThatThrownBy(() -> YamlTrees.parse(bytes("a: .inf")))
        .isInstanceOf(JsonSyntaxException.class);
  }

  @Test
  void numbersAreEqualHoweverTheyAreKept() throws Exception {
    assertThat(
            JsonTrees.same(
                JsonTrees.object().put("n", 1L), JsonTrees.parse(bytes("{\"n\":1}")).tree()))
        .isTrue();
    assertThat(
            JsonTrees.same(
                JsonTrees.object().put("n", 1), JsonTrees.parse(bytes("{\"n\":2}")).tree()))
        .isFalse();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void stringsAreEscapedAsGoEscapesThem() {
    String text = "a && b > c < d \u2028\u2029 \u001f\u007f \n \" \\ \u00e9 \ud83d\ude00 /";

    assertThat(
            new String(
                JsonTrees.bytes(JsonTrees.object().put("<k>", text)), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"\\u003ck\\u003e\":\"a \\u0026\\u0026 b \\u003e c \\u003c d \\u2028\\u2029 \\u001f\u007f \\n"
                + " \\\" \\\\ \u00e9 \ud83d\ude00 /\"}");
    assertThat(
            JsonTrees.parseTrusted(JsonTrees.bytes(JsonTrees.object().put("k", text)))
                .path("k")
                .asText())
        .isEqualTo(text);
  }
}
