package dev.berth.controllers.workloads;

/// What an owner's selector and an object's owner make of each other.
public enum ControllerClaim {
  /// It is managed by the owner and has the labels.
  KEEP,
  /// It has the labels and nobody manages it.
  ADOPT,
  /// It is managed by the owner, but does not have the labels any more.
  RELEASE,
  /// It is somebody else's, or nobody's.
  LEAVE;

  /// An owner that is going neither adopts nor releases: the garbage collector decides then.
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
