package dev.berth.vm.guest.model;

import java.time.Instant;

/// How a program ended.
///
/// @param code 128 plus the signal when a signal ended it
/// @param signal 0 when it ended by itself
/// @param outOfMemory whether the kernel killed a process of the container for its memory limit
/// @param time by the guest's clock
public record GuestExit(int code, int signal, boolean outOfMemory, Instant time) {}
