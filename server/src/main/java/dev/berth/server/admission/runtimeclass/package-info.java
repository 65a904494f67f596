/// Which RuntimeClass a pod gets, what the class gives to the pod, and which pods may use it
/// (KEP-585).
///
/// Start at {@link dev.berth.server.admission.runtimeclass.ClassOverheadAndScheduling}.
@NullMarked
package dev.berth.server.admission.runtimeclass;

import org.jspecify.annotations.NullMarked;
