package dev.berth.launch.rehearsal;

import java.util.ArrayList;
import java.util.List;

/// The place that a story expects for its pods.
///
/// @param nodes the nodes of which any is right
/// @param handler empty for the default one, whatever its name
record PodExpectation(List<String> nodes, String handler, String isolation, String entry) {
  PodExpectation {
    nodes = List.copyOf(nodes);
  }

  /// Compares a place with the expectation.
  ///
  /// @throws StoryRecorder.Mismatch when something differs
  PodPlace check(PodPlace place) {
    List<String> wrong = new ArrayList<>();
    if (!nodes.contains(place.node())) {
      wrong.add(
          "runs on node %s instead of %s".formatted(place.node(), String.join(" or ", nodes)));
    }
    if (!handler.isEmpty()) {
      compare("handler", place.handler(), handler, wrong);
    }
    compare("isolation", place.isolation(), isolation, wrong);
    compare("image entry", place.entry(), entry, wrong);
    if (!wrong.isEmpty()) {
      throw new StoryRecorder.Mismatch(
          "pod %s %s".formatted(place.pod(), String.join(", ", wrong)));
    }
    return place;
  }

  private static void compare(String what, String found, String expected, List<String> wrong) {
    if (!found.equals(expected)) {
      wrong.add("has %s \"%s\" instead of \"%s\"".formatted(what, found, expected));
    }
  }
}
