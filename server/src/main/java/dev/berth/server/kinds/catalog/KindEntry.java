package dev.berth.server.kinds.catalog;

import static dev.berth.server.kinds.Verb.CREATE;
import static dev.berth.server.kinds.Verb.GET;
import static dev.berth.server.kinds.Verb.PATCH;
import static dev.berth.server.kinds.Verb.UPDATE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.defaults.ObjectDefaults;
import dev.berth.server.kinds.KindStrategy;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ResourceKind.Behaviour;
import dev.berth.server.kinds.ResourceKind.Names;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.Subresource;
import dev.berth.server.kinds.Verb;
import dev.berth.server.kinds.VersionConversion;
import dev.berth.server.kinds.strategies.CommonStrategy;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.table.TablePrinters;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.MetadataRules;
import dev.berth.server.validation.fields.NameRule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/// Builder of one kind; defaults are the common case: namespaced, all verbs, no status.
///
/// Every entry of the catalog reads as the list of what is special about its kind. The strategy of
/// the kind is wrapped in `CommonStrategy`, so that no kind forgets status and generation.
final class KindEntry {
  private static final Set<Verb> READ_WRITE = EnumSet.of(GET, PATCH, UPDATE);

  private final String group;
  private final String kind;
  private final String plural;
  private final List<ServedVersion> versions = new ArrayList<>();
  private final List<Subresource> subresources = new ArrayList<>();
  private final Map<String, Function<ObjectNode, String>> selectable = new LinkedHashMap<>();
  private List<String> shortNames = List.of();
  private List<String> categories = List.of();
  private String singular;
  private boolean namespaced = true;
  private Set<Verb> verbs = EnumSet.allOf(Verb.class);
  private boolean hasStatus;
  private boolean hasGeneration;
  private boolean createOnUpdate;
  private boolean unconditionalUpdate = true;
  private boolean returnsDeleted;
  private boolean recheckedOnUpdate = true;
  private NameRule nameRule = NameRule.DNS_SUBDOMAIN;
  private ObjectDefaults defaults = ObjectDefaults.NONE;
  private KindValidator validator = KindValidator.NONE;
  private KindStrategy strategy = KindStrategy.PLAIN;
  private Consumer<ObjectNode> leniency = _ -> {};

  private KindEntry(String group, String kind, String plural) {
    this.group = group;
    this.kind = kind;
    this.plural = plural;
    this.singular = kind.toLowerCase(Locale.ROOT);
  }

  static KindEntry of(String group, String kind, String plural) {
    return new KindEntry(group, kind, plural);
  }

  KindEntry singular(String name) {
    singular = name;
    return this;
  }

  KindEntry shortNames(String... names) {
    shortNames = List.of(names);
    return this;
  }

  /// `kubectl get all` lists the kinds of this category.
  KindEntry inAll() {
    categories = List.of("all");
    return this;
  }

  KindEntry cluster() {
    namespaced = false;
    return this;
  }

  KindEntry verbs(Set<Verb> only) {
    verbs = only;
    return this;
  }

  /// The rule holds for names of new objects; most kinds take DNS subdomains.
  KindEntry named(NameRule rule) {
    nameRule = rule;
    return this;
  }

  /// The first one is stored.
  KindEntry version(String version, ObjectType type) {
    return served(new ServedVersion(group, version, type, VersionConversion.SAME));
  }

  KindEntry served(ServedVersion version) {
    versions.add(version);
    return this;
  }

  KindEntry subresource(String name, String bodyKind, Verb... allowed) {
    return subresource(new Subresource(name, bodyKind, "", "", Set.of(allowed)));
  }

  KindEntry subresource(Subresource subresource) {
    subresources.add(subresource);
    return this;
  }

  /// The status is then written through `/status` only; `CommonStrategy` enforces it.
  KindEntry status() {
    hasStatus = true;
    return subresource(new Subresource("status", kind, "", "", READ_WRITE));
  }

  /// `ScaleSubresource` serves it; the kind must have `spec.replicas` and a selector.
  KindEntry scale() {
    return subresource(new Subresource("scale", "Scale", "autoscaling", "v1", READ_WRITE));
  }

  /// The verbs stand for the HTTP methods that may be relayed.
  KindEntry proxy() {
    return subresource("proxy", kind + "ProxyOptions", CREATE, Verb.DELETE, GET, PATCH, UPDATE);
  }

  /// The server then counts changes of the specification in `metadata.generation`.
  KindEntry generation() {
    hasGeneration = true;
    return this;
  }

  /// A PUT of a missing object then creates it, as upstream allows for some kinds.
  KindEntry createOnUpdate() {
    createOnUpdate = true;
    return this;
  }

  /// A PUT must then carry a resourceVersion, so that nobody overwrites a change unseen.
  KindEntry conditionalUpdate() {
    unconditionalUpdate = false;
    return this;
  }

  /// Updates do not repeat the rules of `metadata` for creation.
  KindEntry metadataCheckedOnce() {
    recheckedOnUpdate = false;
    return this;
  }

  /// A DELETE then answers with the last state of the object instead of a `Status`, as upstream
  /// does for some kinds.
  KindEntry returnsDeleted() {
    returnsDeleted = true;
    return this;
  }

  KindEntry rules(ObjectDefaults newDefaults, KindValidator newValidator) {
    defaults = newDefaults;
    validator = newValidator;
    return this;
  }

  KindEntry strategy(KindStrategy newStrategy) {
    strategy = newStrategy;
    return this;
  }

  /// Alternative spellings are converted before the schema is applied, see `AcceptedSpellings`.
  KindEntry leniency(Consumer<ObjectNode> newLeniency) {
    leniency = newLeniency;
    return this;
  }

  /// Adds a field selector for the field of this path; a missing value is the empty string.
  KindEntry selectable(String path) {
    List<String> steps = List.of(path.split("\\.", -1));
    return selectable(
        path,
        object -> {
          JsonNode node = object;
          for (String step : steps) {
            node = node.path(step);
          }
          return node.asText("");
        });
  }

  KindEntry selectable(String path, Function<ObjectNode, String> reader) {
    selectable.put(path, reader);
    return this;
  }

  ResourceKind build() {
    KindStrategy whole =
        new CommonStrategy(hasStatus ? versions.getFirst().type() : null, hasGeneration, strategy);
    return new ResourceKind(
        new Names(group, kind, plural, singular, shortNames, categories),
        namespaced,
        verbs,
        versions,
        subresources,
        new Behaviour(
            hasStatus, hasGeneration, createOnUpdate, unconditionalUpdate, returnsDeleted),
        new ResourceKind.Rules(
            defaults,
            validator,
            whole,
            new MetadataRules(nameRule, namespaced, recheckedOnUpdate),
            leniency),
        TablePrinters.forKind(group, kind),
        selectable);
  }
}
