package dev.berth.server.resources.requests;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// What admission has to say about a request besides its decision: advice for the client, sent as
/// `Warning` headers, the same words once; and annotations for the request's audit event.
public final class AdmissionWarnings implements Consumer<String> {
  private final Set<String> texts = new LinkedHashSet<>();
  private final Map<String, String> auditAnnotations = new LinkedHashMap<>();

  @Override
  public void accept(String text) {
    texts.add(text);
  }

  public Set<String> texts() {
    return texts;
  }

  /// A request that is tried again annotates again; the newest value counts.
  public void auditAnnotation(String key, String value) {
    auditAnnotations.put(key, value);
  }

  public Map<String, String> auditAnnotations() {
    return auditAnnotations;
  }
}
