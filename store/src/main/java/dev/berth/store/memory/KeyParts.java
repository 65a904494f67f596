package dev.berth.store.memory;

/// How a key is divided: `bucket/rest`.
public final class KeyParts {
  private KeyParts() {}

  public static String bucket(String key) {
    int slash = key.indexOf('/');
    if (slash <= 0 || slash == key.length() - 1) {
      throw new IllegalArgumentException("key \"" + key + "\" is not of the form bucket/name");
    }
    return key.substring(0, slash);
  }
}
