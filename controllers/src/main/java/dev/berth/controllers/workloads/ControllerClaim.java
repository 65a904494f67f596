package dev.berth.controllers.workloads;

/// The relation between an owner's selector and an object's controller. A pure decision; upstream's
/// rules about adoption: only an object without a controller can be adopted, and only the
/// controller itself releases one.
public enum ControllerClaim {
  /// The owner manages the object, and the selector matches.
  KEEP,
  /// The selector matches, and nobody manages the object.
  ADOPT,
  /// The owner manages the object, but the selector no longer matches.
  RELEASE,
  /// The object does not belong to the owner.
  LEAVE;

  /// An owner that is being deleted neither adopts nor releases: the garbage collector decides.
  public static ControllerClaim of(WorkloadOwner owner, ObjectIdentity object) {
    String controller = object.controllerUid();
    boolean matches = owner.selector().matches(object.labels());
    if (!controller.isEmpty() && !controller.equals(owner.uid())) {
      return LEAVE;
    }
    boolean ownerGoes = owner.identity().isBeingDeleted();
    if (!controller.isEmpty()) {
      if (matches) {
        return KEEP;
      }
      return ownerGoes ? LEAVE : RELEASE;
    }
    return matches && !ownerGoes && !object.isBeingDeleted() ? ADOPT : LEAVE;
  }
}
