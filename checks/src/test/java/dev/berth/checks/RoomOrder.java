package dev.berth.checks;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rooms of a package, in levels: a room may use the rooms of later levels, none of its own
/// level or an earlier one. The room `.` has the classes of the package itself.
///
/// @param base the package
record RoomOrder(String base, List<List<String>> levels) {
  RoomOrder {
    levels = levels.stream().map(List::copyOf).toList();
  }

  /// @param name of the package below `dev.berth`
  /// @param levels such as `a, b > c`: `a` and `b` may use `c`
  static RoomOrder of(String name, String levels) {
    List<List<String>> parsed = new ArrayList<>();
    for (String level : levels.split(" > ", -1)) {
      parsed.add(List.of(level.split(", ", -1)));
    }
    return new RoomOrder("dev.berth." + name, parsed);
  }

  List<String> rooms() {
    return levels.stream().flatMap(List::stream).toList();
  }

  boolean contains(String packageName) {
    return (packageName + ".").startsWith(base + ".");
  }

  /// The room of a package below `base`.
  String room(String packageName) {
    return packageName.equals(base)
        ? "."
        : packageName.substring(base.length() + 1).replaceFirst("\\..*", "");
  }

  /// A rule for each room.
  List<ArchRule> rules() {
    List<ArchRule> rules = new ArrayList<>();
    for (int level = 0; level < levels.size(); level++) {
      Set<String> below = new HashSet<>();
      levels.subList(level + 1, levels.size()).forEach(below::addAll);
      for (String room : levels.get(level)) {
        rules.add(rule(room, below));
      }
    }
    return rules;
  }

  private ArchRule rule(String room, Set<String> below) {
    return noClasses()
        .that(describe("are in room %s of %s".formatted(room, base), type -> isIn(type, room)))
        .should()
        .dependOnClassesThat(
            describe(
                "are in a room of %s outside %s".formatted(base, below),
                type ->
                    contains(type.getPackageName())
                        && !isIn(type, room)
                        && !below.contains(room(type.getPackageName()))));
  }

  private boolean isIn(JavaClass type, String room) {
    return contains(type.getPackageName()) && room(type.getPackageName()).equals(room);
  }

  @Override
  public String toString() {
    return base;
  }
}
