package dev.berth.server.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a list, map or object field merges: for strategic merge patch and for server-side apply.
///
/// The two kinds of merging have separate rules because upstream declares them separately, and they
/// differ for some lists.
///
/// @param patchMerge strategic merge merges the list (by `patchMergeKey`, or as a set when there is
///   none)
/// @param retainKeys strategic merge honours `$retainKeys` here
/// @param listKeys the keys of an associative list (`listType` MAP)
public record MergeRule(
    boolean patchMerge,
    boolean retainKeys,
    @Nullable String patchMergeKey,
    ListType listType,
    List<String> listKeys,
    boolean atomicMap) {

  /// The list type in server-side apply; a list without a declared type is atomic.
  public enum ListType {
    ATOMIC,
    SET,
    MAP
  }

  public static final MergeRule NONE =
      new MergeRule(false, false, null, ListType.ATOMIC, List.of(), false);

  public MergeRule {
    listKeys = List.copyOf(listKeys);
  }

  /// Reads the last column of `types.tsv`, e.g. `strategy=merge;mergeKey=name;list=map;keys=name`.
  static MergeRule parse(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    boolean merge = false;
    boolean retain = false;
    String mergeKey = null;
    ListType type = ListType.ATOMIC;
    List<String> keys = List.of();
    boolean atomicMap = false;
    for (String part : text.split(";", -1)) {
      String value = part.substring(part.indexOf('=') + 1);
      switch (part.substring(0, part.indexOf('='))) {
        case "strategy" -> {
          List<String> strategies = List.of(value.split(",", -1));
          merge = strategies.contains("merge");
          retain = strategies.contains("retainKeys");
        }
        case "mergeKey" -> mergeKey = value;
        case "list" ->
            type =
                switch (value) {
                  case "map" -> ListType.MAP;
                  case "set" -> ListType.SET;
                  default -> ListType.ATOMIC;
                };
        case "keys" -> keys = List.of(value.split(",", -1));
        case "map" -> atomicMap = value.equals("atomic");
        default -> {}
      }
    }
    return new MergeRule(merge, retain, mergeKey, type, keys, atomicMap);
  }
}
