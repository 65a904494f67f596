/// A small virtual machine with a kernel of Debian, for what this machine's own kernel cannot show:
/// control groups of version 2, and systemd.
///
/// Start with [dev.berth.checks.guest.Guest].
@org.jspecify.annotations.NullMarked
package dev.berth.checks.guest;
