package dev.berth.client;

/// The name of an object inside its kind; the namespace is empty for cluster-scoped objects.
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
  public static ObjectKey clusterScoped(String name) {
    return new ObjectKey("", name);
  }

  @Override
  public int compareTo(ObjectKey other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
