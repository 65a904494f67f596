package dev.berth.server.resources.requests;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Collects warnings for the client (`Warning` headers, each text once) and annotations for the
/// audit event.
///
/// One instance belongs to one request and is confined to its thread. `ServerExchange` adds the
/// warnings to the head of the answer, so warnings that come later are lost.
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

  /// A retried write annotates again; the newest value counts.
  public void auditAnnotation(String key, String value) {
    auditAnnotations.put(key, value);
  }

  public Map<String, String> auditAnnotations() {
    return auditAnnotations;
  }
}
