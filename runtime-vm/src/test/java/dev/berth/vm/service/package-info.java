/// Tests of the verbs against machines, guests, networks and images that are kept in memory.
@org.jspecify.annotations.NullMarked
package dev.berth.vm.service;
