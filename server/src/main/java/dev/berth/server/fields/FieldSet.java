package dev.berth.server.fields;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/// An immutable set of paths, kept as a trie with sorted branches.
///
/// A path is in the set when its last element is marked as a member; a container may be a member
/// besides its parts (the `.` of `fieldsV1`) or only lead to them.
public final class FieldSet {
  public static final FieldSet EMPTY = new FieldSet(new Entry[0]);

  // Sorted by element, each element once, no entry without a member below or at it.
  private final Entry[] entries;

  private FieldSet(Entry[] entries) {
    this.entries = entries;
  }

  /// A branch of the trie.
  ///
  /// @param member the path up to here is itself in the set
  record Entry(PathElement element, boolean member, FieldSet children) {}

  /// Paths of plain field names: `FieldSet.of("spec", "metadata.labels")`.
  public static FieldSet of(String... paths) {
    FieldSet all = EMPTY;
    for (String path : paths) {
      String[] names = path.split("\\.", -1);
      FieldSet branch = EMPTY;
      for (int i = names.length - 1; i >= 0; i--) {
        boolean last = i == names.length - 1;
        branch = single(new PathElement.Name(names[i]), last, branch);
      }
      all = all.union(branch);
    }
    return all;
  }

  static FieldSet single(PathElement element, boolean member, FieldSet children) {
    return new FieldSet(new Entry[] {new Entry(element, member, children)});
  }

  public boolean isEmpty() {
    return entries.length == 0;
  }

  /// The number of paths in the set.
  public int size() {
    int size = 0;
    for (Entry entry : entries) {
      size += (entry.member() ? 1 : 0) + entry.children().size();
    }
    return size;
  }

  List<Entry> entries() {
    return Arrays.asList(entries);
  }

  public boolean contains(List<PathElement> path) {
    FieldSet set = this;
    for (PathElement element : path.subList(0, path.size() - 1)) {
      set = set.under(element);
    }
    return set.contains(path.getLast());
  }

  boolean contains(PathElement element) {
    int at = find(element);
    return at >= 0 && entries[at].member();
  }

  /// The paths below the element.
  FieldSet under(PathElement element) {
    int at = find(element);
    return at >= 0 ? entries[at].children() : EMPTY;
  }

  private int find(PathElement element) {
    int low = 0;
    int high = entries.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = entries[middle].element().compareTo(element);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  public FieldSet union(FieldSet other) {
    if (isEmpty()) {
      return other;
    }
    return other.isEmpty()
        ? this
        : zip(
            other,
            (element, mine, theirs) ->
                new Entry(
                    element,
                    mine.member() || theirs.member(),
                    mine.children().union(theirs.children())));
  }

  public FieldSet intersection(FieldSet other) {
    return isEmpty() || other.isEmpty()
        ? EMPTY
        : zip(
            other,
            (element, mine, theirs) ->
                new Entry(
                    element,
                    mine.member() && theirs.member(),
                    mine.children().intersection(theirs.children())));
  }

  /// The paths that are not in the other set; children of a path in the other set stay.
  public FieldSet difference(FieldSet other) {
    return isEmpty() || other.isEmpty()
        ? this
        : zip(
            other,
            (element, mine, theirs) ->
                new Entry(
                    element,
                    mine.member() && !theirs.member(),
                    mine.children().difference(theirs.children())));
  }

  /// The paths that are neither in the other set nor below one of its paths.
  ///
  /// `difference` compares members path by path; here a member of the other set also covers all
  /// below it.
  public FieldSet recursiveDifference(FieldSet other) {
    return isEmpty() || other.isEmpty()
        ? this
        : zip(
            other,
            (element, mine, theirs) ->
                theirs.member()
                    ? new Entry(element, false, EMPTY)
                    : new Entry(
                        element,
                        mine.member(),
                        mine.children().recursiveDifference(theirs.children())));
  }

  /// The paths without paths below them.
  public FieldSet leaves() {
    Builder leaves = new Builder();
    for (Entry entry : entries) {
      leaves.add(entry.element(), entry.children().isEmpty(), entry.children().leaves());
    }
    return leaves.build();
  }

  private interface Combination {
    Entry of(PathElement element, Entry mine, Entry theirs);
  }

  /// Both sets are sorted, so one pass over both suffices and the result needs no sorting: the cost
  /// is linear in the number of entries. An element that one set lacks counts as an entry without
  /// members. `Builder` drops results that are empty.
  private FieldSet zip(FieldSet other, Combination combination) {
    Builder result = new Builder();
    int mine = 0;
    int theirs = 0;
    while (mine < entries.length || theirs < other.entries.length) {
      int order =
          mine == entries.length
              ? 1
              : theirs == other.entries.length
                  ? -1
                  : entries[mine].element().compareTo(other.entries[theirs].element());
      PathElement element = (order <= 0 ? entries[mine] : other.entries[theirs]).element();
      Entry nothing = new Entry(element, false, EMPTY);
      Entry left = order <= 0 ? entries[mine++] : nothing;
      Entry right = order >= 0 ? other.entries[theirs++] : nothing;
      result.add(combination.of(element, left, right));
    }
    return result.build();
  }

  /// Calls with every path, members of a level before the paths below that level.
  public void forEach(Consumer<List<PathElement>> visitor) {
    forEach(new ArrayList<>(), visitor);
  }

  private void forEach(List<PathElement> prefix, Consumer<List<PathElement>> visitor) {
    for (Entry entry : entries) {
      if (entry.member()) {
        List<PathElement> path = new ArrayList<>(prefix);
        path.add(entry.element());
        visitor.accept(path);
      }
    }
    for (Entry entry : entries) {
      prefix.add(entry.element());
      entry.children().forEach(prefix, visitor);
      prefix.removeLast();
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldSet set && Arrays.equals(entries, set.entries);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(entries);
  }

  @Override
  public String toString() {
    return FieldsV1.encode(this).toString();
  }

  /// Collects the entries of one level in any order.
  ///
  /// Objects in normal form deliver their fields in declaration order, and maps in the client's
  /// order. The builder notices whether sorting is necessary, because most levels arrive sorted
  /// from stored sets. Duplicates, which only lists with duplicate keys have, are joined.
  static final class Builder {
    private final List<Entry> entries = new ArrayList<>();
    private boolean sorted = true;

    void add(PathElement element, boolean member, FieldSet children) {
      add(new Entry(element, member, children));
    }

    void add(Entry entry) {
      if (entry.member() || !entry.children().isEmpty()) {
        sorted =
            sorted
                && (entries.isEmpty()
                    || entries.getLast().element().compareTo(entry.element()) < 0);
        entries.add(entry);
      }
    }

    FieldSet build() {
      if (entries.isEmpty()) {
        return EMPTY;
      }
      return sorted ? new FieldSet(entries.toArray(Entry[]::new)) : sort();
    }

    private FieldSet sort() {
      entries.sort((left, right) -> left.element().compareTo(right.element()));
      List<Entry> distinct = new ArrayList<>(entries.size());
      for (Entry entry : entries) {
        Entry last = distinct.isEmpty() ? null : distinct.getLast();
        if (last != null && last.element().compareTo(entry.element()) == 0) {
          FieldSet children = last.children().union(entry.children());
          distinct.removeLast();
          distinct.add(new Entry(last.element(), last.member() || entry.member(), children));
        } else {
          distinct.add(entry);
        }
      }
      return new FieldSet(distinct.toArray(Entry[]::new));
    }
  }
}
