package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionChain;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.requests.BodyDecoder;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.WriteOptions;
import org.jspecify.annotations.Nullable;

/// The steps that all writes share: decoding, managed fields, admission, store.
///
/// One instance serves all verbs. The verbs decide about the order of the steps; here is only what
/// each step means for any verb.
public final class WriteRules {
  private final ObjectStore store;
  private final BodyDecoder bodies;
  private final ObjectDecoder decoder;
  private final AdmissionChain admission;
  private final ManagedFieldsUpdater owners;

  public WriteRules(ObjectStore store, ServedKinds kinds, AdmissionChain admission) {
    this.store = store;
    this.bodies = new BodyDecoder(kinds);
    this.decoder = new ObjectDecoder(bodies);
    this.admission = admission;
    this.owners = new ManagedFieldsUpdater(kinds);
  }

  ObjectStore store() {
    return store;
  }

  BodyDecoder bodies() {
    return bodies;
  }

  ObjectDecoder decoder() {
    return decoder;
  }

  ManagedFieldsUpdater owners() {
    return owners;
  }

  void admit(
      RequestTarget target,
      Operation operation,
      @Nullable ObjectNode object,
      @Nullable ObjectNode old,
      WriteOptions options) {
    admission.mutate(attributes(target, operation, object, old, options.dryRun()));
  }

  void validateAdmission(
      RequestTarget target,
      Operation operation,
      @Nullable ObjectNode object,
      @Nullable ObjectNode old,
      boolean dryRun) {
    admission.validate(attributes(target, operation, object, old, dryRun));
  }

  /// Reserves what admission plugins require, right before the object is stored.
  ///
  /// @return releases the reservation when the store rejects the object
  Runnable reserve(
      RequestTarget target,
      Operation operation,
      ObjectNode object,
      @Nullable ObjectNode old,
      boolean dryRun) {
    return admission.reserve(attributes(target, operation, object, old, dryRun));
  }

  /// Called after a change has been stored.
  ///
  /// @param object the stored object; null after a deletion
  void committed(
      RequestTarget target, Operation operation, @Nullable ObjectNode object, ObjectNode old) {
    admission.committed(attributes(target, operation, object, old, false));
  }

  private static AdmissionAttributes attributes(
      RequestTarget target,
      Operation operation,
      @Nullable ObjectNode object,
      @Nullable ObjectNode old,
      boolean dryRun) {
    return new AdmissionAttributes(
        operation,
        target.kind(),
        target.subresource(),
        target.namespace(),
        target.name(),
        object,
        old,
        target.user(),
        dryRun,
        target.warnings(),
        target.warnings()::auditAnnotation);
  }
}
