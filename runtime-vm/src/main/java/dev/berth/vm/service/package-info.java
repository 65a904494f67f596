/// The verbs of CRI, one class each, and the gRPC services that are made of them. Codes and texts
/// of refusals are containerd's where it has the same one, because clients match them.
///
/// Start with `CriServices`.
@NullMarked
package dev.berth.vm.service;

import org.jspecify.annotations.NullMarked;
