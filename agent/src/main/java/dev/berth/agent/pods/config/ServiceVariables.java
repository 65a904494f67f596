package dev.berth.agent.pods.config;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// Environment variables about Services: `WEB_SERVICE_HOST` and the like, and those of Docker
/// links.
final class ServiceVariables {
  private static final String OF_ALL = "default";
  private static final String API_SERVER = "kubernetes";

  private ServiceVariables() {}

  /// Variables for the Services of the pod's namespace, unless `enableServiceLinks` is false, and
  /// always for the API server's.
  static Map<String, String> of(Pod pod, List<Service> services) {
    boolean links = !Boolean.FALSE.equals(pod.getSpec().getEnableServiceLinks());
    String namespace = pod.getMetadata().getNamespace();
    Map<String, String> variables = new LinkedHashMap<>();
    services.stream()
        .filter(ServiceVariables::hasAddress)
        .filter(one -> isApiServer(one) || (links && isIn(one, namespace)))
        // A Service of the pod's namespace overrides the API server's of the same name.
        .sorted(
            Comparator.comparing((Service one) -> isIn(one, namespace))
                .thenComparing(one -> one.getMetadata().getName()))
        .forEach(service -> add(service, variables));
    return variables;
  }

  private static boolean hasAddress(Service service) {
    String address = service.getSpec() == null ? null : service.getSpec().getClusterIP();
    return address != null
        && !address.isEmpty()
        && !address.equals("None")
        && !service.getSpec().getPorts().isEmpty();
  }

  private static boolean isApiServer(Service service) {
    return isIn(service, OF_ALL) && service.getMetadata().getName().equals(API_SERVER);
  }

  private static boolean isIn(Service service, String namespace) {
    return service.getMetadata().getNamespace().equals(namespace);
  }

  private static void add(Service service, Map<String, String> variables) {
    String name = upper(service.getMetadata().getName());
    String address = service.getSpec().getClusterIP();
    List<ServicePort> ports = service.getSpec().getPorts();
    variables.put(name + "_SERVICE_HOST", address);
    variables.put(name + "_SERVICE_PORT", text(ports.getFirst()));
    for (ServicePort port : ports) {
      if (port.getName() != null && !port.getName().isEmpty()) {
        variables.put(name + "_SERVICE_PORT_" + upper(port.getName()), text(port));
      }
    }
    variables.put(name + "_PORT", url(ports.getFirst(), address));
    for (ServicePort port : ports) {
      String prefix = "%s_PORT_%s_%s".formatted(name, text(port), protocol(port));
      variables.put(prefix, url(port, address));
      variables.put(prefix + "_PROTO", protocol(port).toLowerCase(Locale.ROOT));
      variables.put(prefix + "_PORT", text(port));
      variables.put(prefix + "_ADDR", address);
    }
  }

  private static String upper(String name) {
    return name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  private static String text(ServicePort port) {
    return String.valueOf(port.getPort());
  }

  private static String protocol(ServicePort port) {
    return Objects.requireNonNullElse(port.getProtocol(), "TCP").toUpperCase(Locale.ROOT);
  }

  private static String url(ServicePort port, String address) {
    String host = address.contains(":") ? "[" + address + "]" : address;
    return "%s://%s:%s".formatted(protocol(port).toLowerCase(Locale.ROOT), host, text(port));
  }
}
