package dev.berth.server.captures;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Compares an answer with a captured one, blind to ids, times, revisions and random names.
///
/// Remembers which of our ids and revisions stands for which captured one, so that later requests
/// can be rewritten.
final class Comparison {
  private static final String UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
  private static final String TIME =
      "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z";

  private final Map<String, String> ours = new HashMap<>();

  Map<String, String> ours() {
    return ours;
  }

  List<String> differences(JsonNode expected, JsonNode actual) {
    List<String> found = new ArrayList<>();
    compare("", expected, actual, found);
    return found;
  }

  private void compare(String path, JsonNode expected, JsonNode actual, List<String> found) {
    if (expected.isObject() && actual.isObject()) {
      Set<String> names = new HashSet<>();
      expected.fieldNames().forEachRemaining(names::add);
      actual.fieldNames().forEachRemaining(names::add);
      names.stream()
          .sorted()
          .forEach(
              name -> compare(path + "." + name, expected.path(name), actual.path(name), found));
    } else if (expected.isArray() && actual.isArray()) {
      for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
        compare(path + "[" + i + "]", expected.path(i), actual.path(i), found);
      }
    } else if (!sameLeaf(path, expected, actual)) {
      found.add("%s: expected %s, was %s".formatted(path, show(expected), show(actual)));
    }
  }

  private static String show(JsonNode node) {
    return node.isMissingNode() ? "nothing" : node.toString();
  }

  private boolean sameLeaf(String path, JsonNode expected, JsonNode actual) {
    if (expected.isTextual() && actual.isTextual()) {
      remember(path, expected.textValue(), actual.textValue());
      return expected.textValue().equals("(text omitted)")
          || blur(path, expected.textValue()).equals(blur(path, actual.textValue()));
    }
    if (expected.isNumber() && actual.isNumber()) {
      return expected.decimalValue().compareTo(actual.decimalValue()) == 0;
    }
    return expected.equals(actual);
  }

  private void remember(String path, String expected, String actual) {
    if (expected.matches(UUID) && actual.matches(UUID)) {
      ours.putIfAbsent(expected, actual);
    }
    if (expected.startsWith("kube-api-access-") && actual.startsWith("kube-api-access-")) {
      ours.putIfAbsent(expected, actual);
    }
    if (path.endsWith(".resourceVersion")) {
      ours.put("rv:" + expected, actual);
    }
    if (path.endsWith(".metadata.continue")) {
      ours.put(expected, actual);
    }
    if (path.endsWith(".status.token")) {
      ours.put("(token)", actual);
    }
  }

  private static String blur(String path, String text) {
    if (path.endsWith(".resourceVersion")) {
      return text.matches("[0-9]+") ? "<revision>" : text;
    }
    if (path.endsWith(".metadata.continue")) {
      return text.isEmpty() ? "" : "<token>";
    }
    if (path.contains(".cells[") && text.matches("([0-9]+[smhdy])+")) {
      return "<age>";
    }
    if (path.endsWith(".serverAddress")) {
      return text.replaceAll(":[0-9]+$", ":<port>");
    }
    return text.replaceAll("^a{58}[a-z0-9]{5}$", "<generated>")
        .replaceAll(UUID, "<uid>")
        .replaceAll(TIME, "<time>")
        .replaceAll("\\(([0-9]+[smhdy])+ ago\\)", "(<age> ago)")
        .replaceAll("kube-api-access-[a-z0-9]{5}", "kube-api-access-<random>")
        .replaceAll("(gen-|generated-|-)[bcdfghjklmnpqrstvwxz2456789]{5}$", "$1<random>")
        .replaceAll("current: [0-9]+", "current: <n>")
        .replaceAll("\\([0-9]+\\)", "(<n>)")
        .replaceAll("\"resourceVersion\\\\?\":\\\\?\"[0-9]+", "<revision>");
  }
}
