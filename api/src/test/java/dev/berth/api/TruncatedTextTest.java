package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TruncatedTextTest {
  @Test
  void aTextThatFitsStays() {
    assertThat(TruncatedText.of("a".repeat(1024), 1024)).hasSize(1024).doesNotContain("...");
    assertThat(TruncatedText.of("", 3)).isEmpty();
  }

  @Test
  void aLongTextEndsWithDots() {
    assertThat(TruncatedText.of("a".repeat(200_000), 1024)).isEqualTo("a".repeat(1021) + "...");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "\u00e9", "\u20ac", "\ud83d\ude00"})
  void noCharacterIsCutInHalf(String character) {
    int size = character.getBytes(StandardCharsets.UTF_8).length;
    for (int most = 10; most < 20; most++) {
      String cut = TruncatedText.cut(character.repeat(100), most);
      assertThat(cut).isEqualTo(character.repeat(most / size));
      assertThat(
              TruncatedText.of(character.repeat(100), most).getBytes(StandardCharsets.UTF_8).length)
          .isLessThanOrEqualTo(most);
    }
  }
}
