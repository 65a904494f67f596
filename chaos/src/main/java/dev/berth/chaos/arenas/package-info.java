/// The systems under attack: a server on SQLite, two servers on etcd, and nodes with pods.
@NullMarked
package dev.berth.chaos.arenas;

import org.jspecify.annotations.NullMarked;
