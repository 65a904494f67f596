/// What guests boot: a kernel that the host has, and a first file system made from its modules and
/// the guest program.
///
/// Start with [dev.berth.vm.kernel.GuestKernel], which is made from the directories to look in and
/// a directory for what it makes.
@NullMarked
package dev.berth.vm.kernel;

import org.jspecify.annotations.NullMarked;
