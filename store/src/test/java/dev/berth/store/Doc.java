package dev.berth.store;

import java.nio.charset.StandardCharsets;

/// What the tests keep in a store: the text that was written and the revision it was decoded for.
public record Doc(String text, long revision) {
  public static final StoredDecoder<Doc> DECODER =
      (_, value) -> {
        String text = new String(value, StandardCharsets.UTF_8);
        return revision -> new Doc(text, revision);
      };

  public static StoreWrite.Create create(String key, String text) {
    return new StoreWrite.Create(key, text.getBytes(StandardCharsets.UTF_8));
  }

  public static StoreWrite.Replace replace(String key, String text, long expectedRevision) {
    return new StoreWrite.Replace(key, text.getBytes(StandardCharsets.UTF_8), expectedRevision);
  }

  public static StoreWrite.Delete delete(String key, long expectedRevision) {
    return new StoreWrite.Delete(key, expectedRevision);
  }
}
