package dev.berth.agent.runtimes.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.bindings.BindingDecision.Standing;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BindingDecisionTest {
  /// Claims are written service, `+` for a running sandbox or `-`, and when it was made.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          #         what          | bound to | standing  | claims     | answered | owner | rivals
          nobody has it           | -        | CLAIMED   | ''         | a b      | -     | ''
          one has it              | -        | CLAIMED   | b+1        | b        | b     | ''
          a running one wins      | -        | CLAIMED   | a-9 b+1    | a b      | b     | a
          the newest wins         | -        | CLAIMED   | a+1 b+2    | a b      | b     | a
          names decide the rest   | -        | CLAIMED   | b+1 a+1    | a b      | a     | b
          three have it           | -        | CLAIMED   | a+1 b+3 c+2 | a b c   | b     | c a
          its own attempts agree  | -        | CLAIMED   | a-1 a+2    | a        | a     | ''
          a claim can be bettered | a        | CLAIMED   | a+1 b+2    | a b      | b     | a
          the record stays        | a        | RECORDED  | a-1 b+2    | a b      | a     | b
          the record is not empty | a        | RECORDED  | ''         | a b      | a     | ''
          silence is not absence  | a        | RECORDED  | b+1        | b        | a     | b
          absence is              | a        | RECORDED  | b+1        | a b      | b     | ''
          what is used stays      | a        | CONFIRMED | b+1        | a b      | a     | b
          """)
  void thereIsOneOwner(
      String what,
      @Nullable String boundTo,
      Standing standing,
      String claims,
      String answered,
      @Nullable String owner,
      String rivals) {
    PodBinding current = boundTo == null ? null : new PodBinding("pod", boundTo, "runc");
    List<SandboxClaim> parsed = words(claims).stream().map(BindingDecisionTest::claim).toList();

    Predicate<String> hasAnswered = words(answered)::contains;
    BindingDecision ownership = BindingDecision.decide(current, standing, parsed, hasAnswered);
    BindingDecision reversed =
        BindingDecision.decide(current, standing, parsed.reversed(), hasAnswered);

    assertThat(ownership.owner() == null ? null : ownership.owner().service())
        .as(what)
        .isEqualTo(owner);
    assertThat(ownership.rivals()).extracting(SandboxClaim::service).isEqualTo(words(rivals));
    assertThat(reversed).isEqualTo(ownership);
  }

  private static SandboxClaim claim(String word) {
    String service = word.substring(0, 1);
    return new SandboxClaim(
        "pod",
        service,
        "runc",
        service + word.substring(2),
        word.charAt(1) == '+',
        Long.parseLong(word.substring(2)));
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? Collections.emptyList() : Arrays.asList(text.split(" ", -1));
  }
}
