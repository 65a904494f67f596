package dev.berth.server.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.defaults.ObjectDefaults;
import dev.berth.server.errors.ApiException;
import dev.berth.server.table.KindColumns;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.MetadataRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/// The definition of one kind: names, versions, verbs, rules. Adding a kind means adding one of
/// these.
///
/// @param versions the first one is stored and preferred; the others may be of another group
/// @param selectable field selectors besides `metadata.name` and `metadata.namespace`, with their
///   readers
public record ResourceKind(
    Names names,
    boolean namespaced,
    Set<Verb> verbs,
    List<ServedVersion> versions,
    List<Subresource> subresources,
    Behaviour behaviour,
    Rules rules,
    KindColumns columns,
    Map<String, Function<ObjectNode, String>> selectable) {

  /// The names of the kind.
  ///
  /// @param singular as kubectl accepts it, e.g. `pod`
  public record Names(
      String group,
      String kind,
      String plural,
      String singular,
      List<String> shortNames,
      List<String> categories) {}

  /// The differences between kinds in writes and deletes.
  ///
  /// @param hasStatus whether `status` is only written through `/status`
  /// @param hasGeneration whether `metadata.generation` counts changes of the spec
  /// @param createOnUpdate whether PUT of a missing object creates it
  /// @param unconditionalUpdate whether PUT without a resourceVersion is allowed
  /// @param returnsDeleted whether DELETE answers with the object instead of a `Status`
  public record Behaviour(
      boolean hasStatus,
      boolean hasGeneration,
      boolean createOnUpdate,
      boolean unconditionalUpdate,
      boolean returnsDeleted) {}

  /// The rules of the kind: defaults, validation, strategy.
  ///
  /// @param leniency converts alternative spellings of a decoded body, in place, before
  ///   normalization
  public record Rules(
      ObjectDefaults defaults,
      KindValidator validator,
      KindStrategy strategy,
      MetadataRules metadata,
      Consumer<ObjectNode> leniency) {}

  public ResourceKind {
    verbs = Set.copyOf(verbs);
    versions = List.copyOf(versions);
    subresources = List.copyOf(subresources);
    selectable = Map.copyOf(selectable);
  }

  public ObjectDefaults defaults() {
    return rules.defaults();
  }

  public KindValidator validator() {
    return rules.validator();
  }

  public KindStrategy strategy() {
    return rules.strategy();
  }

  /// Converts alternative spellings of a decoded body, in place, before normalization.
  public void accept(ObjectNode body) {
    rules.leniency().accept(body);
  }

  /// Collects the validation errors of a new object, those of `metadata` included.
  ///
  /// @param asked the version of the request; the object is in the stored version
  public List<FieldError> validateCreate(ServedVersion asked, ObjectNode object) {
    FieldErrors errors = new FieldErrors();
    rules.metadata().onCreate(object, errors);
    rules.validator().forVersion(asked.apiVersion()).onCreate(object, errors);
    return errors.toList();
  }

  public List<FieldError> validateUpdate(ServedVersion asked, ObjectNode object, ObjectNode old) {
    FieldErrors errors = new FieldErrors();
    rules.metadata().onUpdate(object, old, errors);
    rules.validator().forVersion(asked.apiVersion()).onUpdate(object, old, errors);
    return errors.toList();
  }

  public List<FieldError> validateStatusUpdate(ObjectNode object, ObjectNode old) {
    FieldErrors errors = new FieldErrors();
    rules.metadata().onUpdate(object, old, errors);
    rules.validator().onStatusUpdate(object, old, errors);
    return errors.toList();
  }

  public List<FieldError> validateApproval(ObjectNode object, ObjectNode old) {
    FieldErrors errors = new FieldErrors();
    rules.metadata().onUpdate(object, old, errors);
    rules.validator().onApproval(object, old, errors);
    return errors.toList();
  }

  public List<FieldError> validateEphemeralContainersUpdate(ObjectNode object, ObjectNode old) {
    FieldErrors errors = new FieldErrors();
    rules.metadata().onUpdate(object, old, errors);
    rules.validator().onEphemeralContainersUpdate(object, old, errors);
    return errors.toList();
  }

  public List<FieldError> validateResize(ObjectNode object, ObjectNode old) {
    FieldErrors errors = new FieldErrors();
    rules.metadata().onUpdate(object, old, errors);
    rules.validator().onResize(object, old, errors);
    return errors.toList();
  }

  public List<FieldError> validateFinalize(ObjectNode object, ObjectNode old) {
    FieldErrors errors = new FieldErrors();
    rules.metadata().onUpdate(object, old, errors);
    rules.validator().onFinalize(object, errors);
    return errors.toList();
  }

  /// A second group of the same kind has neither short names nor categories, so that `kubectl get
  /// all` lists an object once.
  public List<String> shortNames(ServedVersion served) {
    return served.aside() ? List.of() : names.shortNames();
  }

  public List<String> categories(ServedVersion served) {
    return served.aside() ? List.of() : names.categories();
  }

  public ServedVersion storedVersion() {
    return versions.getFirst();
  }

  /// The first part of every key in the store: `pods`, `deployments.apps`.
  public String bucket() {
    return resource().qualifiedPlural();
  }

  public ApiException.Resource resource() {
    return new ApiException.Resource(names.group(), names.plural(), names.kind());
  }

  public Optional<ServedVersion> served(String group, String version) {
    return versions.stream()
        .filter(served -> served.group().equals(group) && served.version().equals(version))
        .findFirst();
  }

  public Optional<Subresource> subresource(String name) {
    return subresources.stream().filter(sub -> sub.name().equals(name)).findFirst();
  }
}
