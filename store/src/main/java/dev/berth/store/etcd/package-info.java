/// The store on etcd: writes are etcd transactions, the memory follows one etcd watch, so that
/// several servers agree.
///
/// A revision is etcd's. A server sees its own writes before they are acknowledged, and those of
/// other servers as soon as its watch delivers them. Start reading at [EtcdStore], then [EtcdFeed].
@NullMarked
package dev.berth.store.etcd;

import org.jspecify.annotations.NullMarked;
