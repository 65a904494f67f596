package dev.berth.server.kinds.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.defaults.ObjectDefaults;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.conversions.EventConversion;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.validation.events.EventValidation;
import dev.berth.server.validation.fields.NameRule;

/// The entry of Event, stored as core/v1 and served as events.k8s.io/v1 too.
final class EventKind {
  private EventKind() {}

  static ResourceKind entry(ObjectSchema schema) {
    return KindEntry.of("", "Event", "events")
        .shortNames("ev")
        .version("v1", schema.type("core.v1.Event"))
        .served(
            new ServedVersion(
                "events.k8s.io", "v1", schema.type("events.v1.Event"), new EventConversion()))
        .createOnUpdate()
        .selectable("involvedObject.kind")
        .selectable("involvedObject.namespace")
        .selectable("involvedObject.name")
        .selectable("involvedObject.uid")
        .selectable("involvedObject.apiVersion")
        .selectable("involvedObject.resourceVersion")
        .selectable("involvedObject.fieldPath")
        .selectable("reason")
        .selectable("reportingComponent")
        .selectable("source", EventKind::source)
        .selectable("type")
        .named(NameRule.PATH_SEGMENT)
        .metadataCheckedOnce()
        .rules(ObjectDefaults.NONE, new EventValidation())
        .build();
  }

  private static String source(ObjectNode event) {
    String component = event.path("source").path("component").asText("");
    return component.isEmpty() ? event.path("reportingComponent").asText("") : component;
  }
}
