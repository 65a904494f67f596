package dev.berth.chaos;

import dev.berth.chaos.arenas.ArenaContext;
import dev.berth.chaos.arenas.AttackArena;
import dev.berth.chaos.arenas.EmbeddedArena;
import dev.berth.chaos.arenas.EtcdArena;
import dev.berth.chaos.arenas.NodeArena;
import java.io.IOException;

/// The arenas, in the order in which a run attacks them.
enum ArenaName {
  EMBEDDED {
    @Override
    AttackArena open(ArenaContext context) throws IOException {
      return new EmbeddedArena(context);
    }
  },
  ETCD {
    @Override
    AttackArena open(ArenaContext context) throws IOException {
      return new EtcdArena(context);
    }
  },
  NODES {
    @Override
    AttackArena open(ArenaContext context) throws IOException {
      return new NodeArena(context);
    }
  };

  abstract AttackArena open(ArenaContext context) throws IOException;
}
