package dev.berth.server.fields;

import static dev.berth.server.fields.Captures.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSetTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'f:a':{}}",
        "{'f:a':{'.':{},'f:b':{}},'f:c':{'f:d':{}}}",
        "{'f:ports':{'k:{\\\"containerPort\\\":80,\\\"protocol\\\":\\\"TCP\\\"}':{'.':{},'f:name':{}}}}",
        "{'f:finalizers':{'.':{},'v:\\\"a/b\\\"':{},'v:\\\"c\\\\\\\\d\\\"':{}},'f:n':{'v:1':{},'i:0':{}}}",
      })
  void theJsonFormIsReadAndWrittenAlike(String text) throws JsonSyntaxException {
    var json = object(text);
    assertThat(FieldsV1.encode(FieldsV1.decode(json)).toString()).isEqualTo(json.toString());
  }

  @Test
  void whateverTheOrderAndSpacingReadTheJsonIsCanonical() throws JsonSyntaxException {
    var json =
        Captures.json(
            """
            {"i:1":{}, "v:true":{}, "v:\\"x\\"":{}, "v:2":{}, "v:10":{}, "f:b":{"f:x":{},".":{}},
             "k:{ \\"b\\": 1, \\"a\\":2 }":{}, "k:{\\"a\\":2,\\"b\\":1}":{"f:y":{}}, "f:a":{}, "z:new":{}}
            """);
    assertThat(FieldsV1.encode(FieldsV1.decode(json)).toString())
        .isEqualTo(
            "{\"f:a\":{},\"f:b\":{\".\":{},\"f:x\":{}},"
                + "\"k:{\\\"a\\\":2,\\\"b\\\":1}\":{\".\":{},\"f:y\":{}},"
                + "\"v:2\":{},\"v:10\":{},\"v:\\\"x\\\"\":{},\"v:true\":{},\"i:1\":{}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{'f:a':1}", "{'k:x':{}}", "{'k:{}':{}}", "{'v:{':{}}", "{'i:x':{}}"})
  void brokenSetsAreRefused(String text) {
    assertThatThrownBy(() -> FieldsV1.decode(object(text))).isInstanceOf(JsonSyntaxException.class);
  }

  @Test
  void differenceKeepsThePartsOfANamedContainerAndRecursiveDifferenceDoesNot()
      throws JsonSyntaxException {
    FieldSet all = FieldsV1.decode(object("{'f:a':{'.':{},'f:b':{}},'f:c':{}}"));
    assertThat(all.difference(FieldSet.of("a")))
        .isEqualTo(FieldsV1.decode(object("{'f:a':{'f:b':{}},'f:c':{}}")));
    assertThat(all.recursiveDifference(FieldSet.of("a"))).isEqualTo(FieldSet.of("c"));
    assertThat(all.leaves()).isEqualTo(FieldSet.of("a.b", "c"));
    assertThat(all.size()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void operationsAgreeWithThoseOfPlainSetsOfPaths(long seed) throws JsonSyntaxException {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      FieldSet left = randomSet(random, 3);
      FieldSet right = randomSet(random, 3);
      assertThat(FieldsV1.decode(FieldsV1.encode(left))).isEqualTo(left).hasSameHashCodeAs(left);
      assertThat(paths(left)).hasSize(left.size()).allMatch(left::contains);

      Set<List<PathElement>> union = paths(left);
      union.addAll(paths(right));
      assertThat(paths(left.union(right))).isEqualTo(union);
      Set<List<PathElement>> common = paths(left);
      common.retainAll(paths(right));
      assertThat(paths(left.intersection(right))).isEqualTo(common);
      Set<List<PathElement>> rest = paths(left);
      rest.removeAll(paths(right));
      assertThat(paths(left.difference(right))).isEqualTo(rest);
      rest.removeIf(path -> paths(right).stream().anyMatch(other -> startsWith(path, other)));
      assertThat(paths(left.recursiveDifference(right))).isEqualTo(rest);

      assertThat(left.difference(right).union(left.intersection(right))).isEqualTo(left);
      assertThat(left.union(right)).isEqualTo(right.union(left));
      assertThat(left.difference(left).isEmpty()).isTrue();
    }
  }

  private static boolean startsWith(List<PathElement> path, List<PathElement> prefix) {
    return path.size() >= prefix.size() && path.subList(0, prefix.size()).equals(prefix);
  }

  private static Set<List<PathElement>> paths(FieldSet set) {
    List<List<PathElement>> paths = new ArrayList<>();
    set.forEach(paths::add);
    Set<List<PathElement>> distinct = new HashSet<>(paths);
    assertThat(distinct).hasSameSizeAs(paths);
    return distinct;
  }

  static FieldSet randomSet(Random random, int depth) {
    FieldSet.Builder level = new FieldSet.Builder();
    for (int i = random.nextInt(5); i > 0; i--) {
      PathElement step =
          switch (random.nextInt(5)) {
            case 0 -> new PathElement.Item(JsonTrees.array().textNode("v" + random.nextInt(2)));
            case 1 ->
                new PathElement.Key(
                    List.of(
                        new PathElement.Key.Part(
                            "k", JsonTrees.array().numberNode(random.nextInt(3)))));
            default -> new PathElement.Name("n" + random.nextInt(4));
          };
      FieldSet below = depth == 0 ? FieldSet.EMPTY : randomSet(random, depth - 1);
      level.add(step, random.nextBoolean(), below);
    }
    return level.build();
  }
}
