package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShortTextTest {
  @Test
  void aTextThatFitsStays() {
    assertThat(ShortText.of("a".repeat(1024), 1024)).hasSize(1024).doesNotContain("...");
    assertThat(ShortText.of("", 3)).isEmpty();
  }

  @Test
  void aLongTextEndsWithDots() {
    assertThat(ShortText.of("a".repeat(200_000), 1024)).isEqualTo("a".repeat(1021) + "...");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "\u00e9", "\u20ac", "\ud83d\ude00"})
  void noCharacterIsCutInHalf(String character) {
    int size = character.getBytes(StandardCharsets.UTF_8).length;
    for (int most = 10; most < 20; most++) {
      String cut = ShortText.cut(character.repeat(100), most);
      assertThat(cut).isEqualTo(character.repeat(most / size));
      assertThat(ShortText.of(character.repeat(100), most).getBytes(StandardCharsets.UTF_8).length)
          .isLessThanOrEqualTo(most);
    }
  }
}
