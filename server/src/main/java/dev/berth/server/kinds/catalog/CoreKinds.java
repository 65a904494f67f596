package dev.berth.server.kinds.catalog;

import static dev.berth.server.kinds.Verb.CREATE;
import static dev.berth.server.kinds.Verb.DELETECOLLECTION;
import static dev.berth.server.kinds.Verb.UPDATE;

import dev.berth.server.defaults.CoreDefaults;
import dev.berth.server.defaults.LimitRangeDefaults;
import dev.berth.server.defaults.ObjectDefaults;
import dev.berth.server.defaults.ServiceDefaults;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.Subresource;
import dev.berth.server.kinds.conversions.SecretConversion;
import dev.berth.server.kinds.strategies.EndpointsStrategy;
import dev.berth.server.kinds.strategies.NamespaceStrategy;
import dev.berth.server.kinds.strategies.NodeStrategy;
import dev.berth.server.kinds.strategies.ServiceAccountStrategy;
import dev.berth.server.kinds.strategies.ServiceStrategy;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.validation.cluster.NamespaceValidation;
import dev.berth.server.validation.cluster.NodeValidation;
import dev.berth.server.validation.config.ConfigMapValidation;
import dev.berth.server.validation.config.SecretValidation;
import dev.berth.server.validation.fields.NameRule;
import dev.berth.server.validation.pods.BindingValidation;
import dev.berth.server.validation.resources.LimitRangeValidation;
import dev.berth.server.validation.resources.ResourceQuotaValidation;
import dev.berth.server.validation.services.EndpointsValidation;
import dev.berth.server.validation.services.ServiceValidation;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// The entries of the core group, except Pod and Event.
final class CoreKinds {
  private CoreKinds() {}

  static List<ResourceKind> entries(ObjectSchema schema) {
    return List.of(
        namespace(schema),
        node(schema),
        configMap(schema),
        secret(schema),
        serviceAccount(schema),
        service(schema),
        endpoints(schema),
        limitRange(schema),
        resourceQuota(schema),
        binding(schema));
  }

  private static ResourceKind namespace(ObjectSchema schema) {
    return KindEntry.of("", "Namespace", "namespaces")
        .shortNames("ns")
        .cluster()
        .named(NameRule.DNS_LABEL)
        .verbs(EnumSet.complementOf(EnumSet.of(DELETECOLLECTION)))
        .version("v1", schema.type("core.v1.Namespace"))
        .subresource("finalize", "Namespace", UPDATE)
        .status()
        .returnsDeleted()
        .selectable("status.phase")
        .rules(CoreDefaults::namespace, new NamespaceValidation())
        .strategy(new NamespaceStrategy())
        .build();
  }

  private static ResourceKind node(ObjectSchema schema) {
    return KindEntry.of("", "Node", "nodes")
        .shortNames("no")
        .cluster()
        .version("v1", schema.type("core.v1.Node"))
        .proxy()
        .status()
        .selectable(
            "spec.unschedulable",
            node -> PodKind.flag(node.path("spec").path("unschedulable").asBoolean()))
        .rules(CoreDefaults::node, new NodeValidation())
        .strategy(new NodeStrategy())
        .build();
  }

  private static ResourceKind configMap(ObjectSchema schema) {
    return KindEntry.of("", "ConfigMap", "configmaps")
        .shortNames("cm")
        .version("v1", schema.type("core.v1.ConfigMap"))
        .rules(ObjectDefaults.NONE, new ConfigMapValidation())
        .build();
  }

  private static ResourceKind secret(ObjectSchema schema) {
    return KindEntry.of("", "Secret", "secrets")
        .served(new ServedVersion("", "v1", schema.type("core.v1.Secret"), new SecretConversion()))
        .selectable("type")
        .rules(CoreDefaults::secret, new SecretValidation())
        .build();
  }

  private static ResourceKind serviceAccount(ObjectSchema schema) {
    return KindEntry.of("", "ServiceAccount", "serviceaccounts")
        .shortNames("sa")
        .version("v1", schema.type("core.v1.ServiceAccount"))
        .subresource(
            new Subresource("token", "TokenRequest", "authentication.k8s.io", "v1", Set.of(CREATE)))
        .returnsDeleted()
        .strategy(new ServiceAccountStrategy())
        .build();
  }

  private static ResourceKind service(ObjectSchema schema) {
    return KindEntry.of("", "Service", "services")
        .shortNames("svc")
        .inAll()
        .named(NameRule.DNS_1035_LABEL)
        .version("v1", schema.type("core.v1.Service"))
        .proxy()
        .status()
        .createOnUpdate()
        .returnsDeleted()
        .selectable("spec.clusterIP")
        .selectable("spec.type")
        .rules(ServiceDefaults::apply, new ServiceValidation())
        .strategy(new ServiceStrategy())
        .build();
  }

  private static ResourceKind endpoints(ObjectSchema schema) {
    return KindEntry.of("", "Endpoints", "endpoints")
        .shortNames("ep")
        .version("v1", schema.type("core.v1.Endpoints"))
        .rules(CoreDefaults::endpoints, new EndpointsValidation())
        .strategy(new EndpointsStrategy())
        .createOnUpdate()
        .build();
  }

  private static ResourceKind limitRange(ObjectSchema schema) {
    return KindEntry.of("", "LimitRange", "limitranges")
        .shortNames("limits")
        .version("v1", schema.type("core.v1.LimitRange"))
        .rules(LimitRangeDefaults::apply, new LimitRangeValidation())
        .createOnUpdate()
        .build();
  }

  private static ResourceKind resourceQuota(ObjectSchema schema) {
    return KindEntry.of("", "ResourceQuota", "resourcequotas")
        .shortNames("quota")
        .version("v1", schema.type("core.v1.ResourceQuota"))
        .status()
        .returnsDeleted()
        .rules(CoreDefaults::resourceQuota, new ResourceQuotaValidation())
        .build();
  }

  /// Never stored: creating one binds the pod of the same name.
  private static ResourceKind binding(ObjectSchema schema) {
    return KindEntry.of("", "Binding", "bindings")
        .verbs(EnumSet.of(CREATE))
        .version("v1", schema.type("core.v1.Binding"))
        .rules(ObjectDefaults.NONE, new BindingValidation())
        .build();
  }
}
