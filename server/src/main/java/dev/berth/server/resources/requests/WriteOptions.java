package dev.berth.server.resources.requests;

import dev.berth.server.errors.ApiException;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoText;
import java.util.List;
import java.util.stream.Collectors;

/// The options of a create, update or patch.
///
/// @param fieldManager the manager that owns the fields of this write
/// @param force server-side apply takes fields from other managers
public record WriteOptions(
    boolean dryRun, String fieldManager, FieldValidation fieldValidation, boolean force) {
  /// Upstream's limit of `fieldManager`.
  private static final int MAX_MANAGER = 128;

  /// How unknown and duplicate fields are handled.
  public enum FieldValidation {
    IGNORE,
    WARN,
    STRICT
  }

  /// Reads and checks the query of a create (`CreateOptions`), update or patch.
  ///
  /// @param optionsKind the kind of the options, for messages
  /// @param apply whether the body is a server-side apply
  public static WriteOptions parse(
      RequestQuery query, String userAgent, String optionsKind, boolean apply) {
    FieldErrors errors = new FieldErrors();
    List<String> dryRun = query.all("dryRun").stream().filter(v -> !v.isEmpty()).toList();
    checkDryRun(dryRun, errors);
    checkManager(query.first("fieldManager"), apply, errors);
    FieldValidation validation = fieldValidation(query.first("fieldValidation"), errors);
    boolean force = query.flag("force");
    if (query.has("force") && !apply && optionsKind.equals("PatchOptions")) {
      errors.forbidden(FieldPath.of("force"), "may not be specified for non-apply patch");
    }
    if (!errors.isEmpty()) {
      throw invalid(optionsKind, errors);
    }
    String manager = query.first("fieldManager");
    return new WriteOptions(
        !dryRun.isEmpty(),
        manager.isEmpty() ? fromUserAgent(userAgent) : manager,
        validation,
        force);
  }

  static ApiException invalid(String optionsKind, FieldErrors errors) {
    return ApiException.invalid(
        new ApiException.Resource("meta.k8s.io", "", optionsKind), "", errors.toList());
  }

  static void checkDryRun(List<String> dryRun, FieldErrors errors) {
    if (!dryRun.stream().allMatch("All"::equals)) {
      String values = dryRun.stream().map(GoText::quote).collect(Collectors.joining(", "));
      errors.add(
          FieldError.Kind.NOT_SUPPORTED,
          FieldPath.of("dryRun"),
          "Unsupported value: []string{" + values + "}: supported values: \"All\"");
    }
  }

  private static void checkManager(String manager, boolean apply, FieldErrors errors) {
    FieldPath path = FieldPath.of("fieldManager");
    if (apply && manager.isEmpty()) {
      errors.required(path, "is required for apply patch");
    }
    if (manager.length() > MAX_MANAGER) {
      errors.tooLong(path, MAX_MANAGER);
    }
    if (!manager.codePoints().allMatch(c -> c >= 0x20 && c != 0x7f)) {
      errors.invalid(path, manager, "should only contain printable characters");
    }
  }

  private static FieldValidation fieldValidation(String text, FieldErrors errors) {
    return switch (text) {
      case "", "Warn" -> FieldValidation.WARN;
      case "Ignore" -> FieldValidation.IGNORE;
      case "Strict" -> FieldValidation.STRICT;
      default -> {
        errors.notSupported(
            FieldPath.of("fieldValidation"), text, List.of("", "Ignore", "Strict", "Warn"));
        yield FieldValidation.WARN;
      }
    };
  }

  /// Upstream's default manager: the product name of the user agent, such as `kubectl` of
  /// `kubectl/v1.35.0`.
  private static String fromUserAgent(String userAgent) {
    int slash = userAgent.indexOf('/');
    String name = slash < 0 ? userAgent : userAgent.substring(0, slash);
    return name.length() > MAX_MANAGER ? name.substring(0, MAX_MANAGER) : name;
  }
}
