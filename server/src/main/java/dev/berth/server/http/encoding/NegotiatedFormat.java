package dev.berth.server.http.encoding;

import dev.berth.server.errors.ApiException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The format of an answer that client and server negotiate through the `Accept` header.
///
/// @param version of the table or partial metadata, `v1` or `v1beta1`
public record NegotiatedFormat(Format format, As as, String version) {
  public static final NegotiatedFormat JSON = new NegotiatedFormat(Format.JSON, As.OBJECT, "");

  public enum Format {
    JSON("application/json"),
    YAML("application/yaml"),
    PROTOBUF("application/vnd.kubernetes.protobuf");

    private final String mediaType;

    Format(String mediaType) {
      this.mediaType = mediaType;
    }

    String mediaType() {
      return mediaType;
    }
  }

  /// The representation of objects in the answer.
  public enum As {
    OBJECT,
    TABLE,
    PARTIAL
  }

  private static final String MEDIA_TYPES =
      "application/json, application/yaml, application/vnd.kubernetes.protobuf";

  private static final String REPRESENTATIONS =
      MEDIA_TYPES
          + ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

  /// The stored object itself.
  boolean isPlainJson() {
    return format == Format.JSON && as == As.OBJECT;
  }

  /// Chooses the first alternative of an `Accept` header that the server supports.
  ///
  /// kubectl asks for a table first and for plain JSON as a fallback, in one header. Alternatives
  /// with equal quality keep the order of the client, because the sort is stable.
  public static NegotiatedFormat parse(String accept) {
    if (accept.isBlank() || accept.equals("*/*") || accept.equals("application/json")) {
      return JSON;
    }
    return first(ranges(accept), Set.of(As.values()));
  }

  /// Like {@link #parse} for types without columns: they are never listed, so they have no table.
  public static NegotiatedFormat parseWithoutTables(String accept) {
    return accept.isBlank() ? JSON : first(ranges(accept), Set.of(As.OBJECT, As.PARTIAL));
  }

  private static NegotiatedFormat first(List<Range> ranges, Set<As> served) {
    for (Range range : ranges) {
      Optional<NegotiatedFormat> wanted = range.wanted().filter(form -> served.contains(form.as()));
      if (wanted.isPresent()) {
        return wanted.get();
      }
    }
    boolean knownType = ranges.stream().anyMatch(range -> range.format().isPresent());
    throw new ApiException(
        new dev.berth.server.errors.ApiStatus(
            406,
            "NotAcceptable",
            knownType
                ? "only the following media types are accepted: " + MEDIA_TYPES
                : "406: Not Acceptable\n\nAvailable representations: " + REPRESENTATIONS,
            dev.berth.server.errors.ApiStatus.Details.EMPTY));
  }

  /// An alternative of the header with its parameters.
  ///
  /// Other parameters, such as `charset`, are ignored.
  private record Range(String mediaType, Map<String, String> parameters) {
    double quality() {
      try {
        return Double.parseDouble(parameters.getOrDefault("q", "1"));
      } catch (NumberFormatException e) {
        return 0;
      }
    }

    Optional<Format> format() {
      return switch (mediaType) {
        case "application/json", "*/*", "application/*" -> Optional.of(Format.JSON);
        case "application/yaml" -> Optional.of(Format.YAML);
        case "application/vnd.kubernetes.protobuf" -> Optional.of(Format.PROTOBUF);
        default -> Optional.empty();
      };
    }

    Optional<NegotiatedFormat> wanted() {
      return format().flatMap(this::wanted);
    }

    private Optional<NegotiatedFormat> wanted(Format format) {
      String version = parameters.getOrDefault("v", "");
      return switch (parameters.getOrDefault("as", "")) {
        case "" -> Optional.of(new NegotiatedFormat(format, As.OBJECT, ""));
        case "Table" ->
            // Cells of a table may have any type, for which protobuf has no encoding; upstream
            // serves no such tables either.
            metaVersion() && format != Format.PROTOBUF
                ? Optional.of(new NegotiatedFormat(format, As.TABLE, version))
                : Optional.empty();
        case "PartialObjectMetadata", "PartialObjectMetadataList" ->
            metaVersion()
                ? Optional.of(new NegotiatedFormat(format, As.PARTIAL, version))
                : Optional.empty();
        default -> Optional.empty();
      };
    }

    private boolean metaVersion() {
      String version = parameters.getOrDefault("v", "");
      return parameters.getOrDefault("g", "").equals("meta.k8s.io")
          && (version.equals("v1") || version.equals("v1beta1"));
    }
  }

  private static List<Range> ranges(String accept) {
    List<Range> ranges = new ArrayList<>();
    for (String alternative : accept.split(",", -1)) {
      String[] parts = alternative.split(";", -1);
      Map<String, String> parameters = new HashMap<>();
      for (int i = 1; i < parts.length; i++) {
        int equals = parts[i].indexOf('=');
        if (equals > 0) {
          parameters.put(
              parts[i].substring(0, equals).strip(), parts[i].substring(equals + 1).strip());
        }
      }
      ranges.add(new Range(parts[0].strip().toLowerCase(Locale.ROOT), parameters));
    }
    ranges.sort(Comparator.comparingDouble(Range::quality).reversed());
    return ranges;
  }
}
