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

/// Everything the server knows about one kind; adding a kind is adding one of these.
///
/// @param versions the first one is stored and preferred; another group may be among them
/// @param selectable field selectors beyond `metadata.name` and `metadata.namespace`, with how to
///   read each
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

  /// What the kind is called.
  ///
  /// @param singular as kubectl accepts it, e.g. `pod`
  public record Names(
      String group,
      String kind,
      String plural,
      String singular,
      List<String> shortNames,
      List<String> categories) {}

  /// The few ways in which kinds differ when they are written or deleted.
  ///
  /// @param hasStatus `status` is only written through `/status`
  /// @param hasGeneration `metadata.generation` counts changes of the spec
  /// @param createOnUpdate PUT of a missing object creates it
  /// @param unconditionalUpdate PUT without a resourceVersion is allowed
  /// @param returnsDeleted DELETE answers with the object and not with a `Status`
  public record Behaviour(
      boolean hasStatus,
      boolean hasGeneration,
      boolean createOnUpdate,
      boolean unconditionalUpdate,
      boolean returnsDeleted) {}

  /// What is done to objects of the kind, and what is asked of them.
  ///
  /// @param leniency repairs a decoded body in place before it is normalised, for spellings that
  ///   the seeds use
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

  /// Repairs a decoded body in place before it is normalised.
  public void accept(ObjectNode body) {
    rules.leniency().accept(body);
  }

  /// Every broken rule of an object that is about to be created, those of `metadata` included.
  ///
  /// @param asked the version that the request named; the object is in the stored one
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

  /// A second group for the same kind has neither short names nor categories, so that `kubectl get
  /// all` shows an object once.
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
