package dev.berth.server.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Documents that are small to send and expensive to read. Without limits each of them takes
/// minutes or more memory than there is.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class YamlLimitsTest {
  private static final String ALIASING = "document contains excessive aliasing";

  static List<Arguments> documents() {
    return List.of(
        arguments("aliases to a scalar", "a: [&a x" + ",*a".repeat(500_000) + "]", ALIASING),
        arguments("aliases to a list", "a: [&a [x]" + ",*a".repeat(500_000) + "]", ALIASING),
        arguments("aliases to a map", "a: [&a {x: y}" + ",*a".repeat(500_000) + "]", ALIASING),
        arguments(
            "few aliases to a long scalar",
            "a: [&a " + "x".repeat(1_000_000) + ",*a".repeat(9_000) + "]",
            ALIASING),
        arguments("aliases as keys", longKeys(), ALIASING),
        arguments("a key of nested aliases", nestedKey(), "a key is a list or a map"),
        arguments("such a key in a merge", "<<: {? [a] : b}", "a key is a list or a map"),
        arguments("deep lists", "a: " + "[".repeat(1_000_000), "Nesting Depth exceeded max 200"),
        arguments("deep blocks", "- ".repeat(1_000_000) + "x", "Nesting Depth exceeded max 200"),
        arguments("a huge document", "a: " + "x ".repeat(3 << 20), "exceeds the limit: 4194304"),
        arguments("a long number", "a: !!int '" + "9".repeat(3_000_000) + "'", "a number has"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("documents")
  void areRefused(String name, String yaml, String words) {
    assertThatThrownBy(() -> parse(yaml))
        .isInstanceOf(JsonSyntaxException.class)
        .hasMessageContaining(words);
  }

  private static String longKeys() {
    StringBuilder yaml = new StringBuilder("k: &k " + "x".repeat(1_000_000) + "\nlist:\n");
    return yaml.append("- {*k : 1}\n".repeat(5_000)).toString();
  }

  private static String nestedKey() {
    StringBuilder yaml = new StringBuilder("a0: &a0 [" + "x".repeat(10_000) + "]\n");
    for (int i = 1; i <= 16; i++) {
      yaml.append("a%d: &a%d [*a%d,*a%d,*a%d]\n".formatted(i, i, i - 1, i - 1, i - 1));
    }
    return yaml.append("? *a16\n: x\n").toString();
  }

  @Test
  void wordsThatBeginLikeANumberAreText() throws Exception {
    String word = "1".repeat(1_000_000);
    assertThat(parse("a: " + word + "x").tree().path("a").asText()).isEqualTo(word + "x");
    assertThat(parse("a: " + word).tree().path("a").isTextual()).isTrue();
  }

  @Test
  void pathsBelowALongKeyAreNotWrittenOut() throws Exception {
    String key = "? " + "k".repeat(1_000_000) + "\n: ";
    assertThat(parse(key + "[x" + ",x".repeat(500_000) + "]").duplicates()).isEmpty();
    assertThat(parse(key + "[{a: 1, a: 2}" + ",{a: 1, a: 2}".repeat(50_000) + "]").duplicates())
        .hasSizeBetween(1, 2);
  }

  @Test
  void pathsBelowALongKeyOfJsonAreNotWrittenOut() throws Exception {
    String key = "k".repeat(40_000);
    String json = "{\"" + key + "\":[1" + ",{\"a\":1,\"a\":2}".repeat(150_000) + "]}";
    assertThat(JsonTrees.parse(json.getBytes(StandardCharsets.UTF_8)).duplicates())
        .hasSizeBetween(1, 30);
  }

  @Test
  void aliasesThatPeopleWriteAreReplaced() throws Exception {
    JsonTrees.Parsed parsed =
        parse(
            """
            base: &base {image: &image busybox, a: 1}
            one: {<<: *base, a: 2}
            two: [*image, *base]
            """);
    assertThat(parsed.tree().path("one").toString()).contains("busybox", "2");
    assertThat(parsed.tree().path("two").toString())
        .isEqualTo("[\"busybox\",{\"image\":\"busybox\",\"a\":1}]");
    assertThat(parsed.duplicates()).isEmpty();
  }

  private static JsonTrees.Parsed parse(String yaml) throws JsonSyntaxException {
    return YamlTrees.parse(yaml.getBytes(StandardCharsets.UTF_8));
  }
}
