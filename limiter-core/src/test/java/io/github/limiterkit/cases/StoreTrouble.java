package io.github.limiterkit.cases;

import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a Redis may do to a kit, or the way to it. Each is provoked for real, and mended. */
enum StoreTrouble {
  READONLY("the server is a replica: `READONLY`", StoreFault.READONLY) {
    @Override
    void provoke(TroubledStore store) {
      store.command("REPLICAOF", "127.0.0.1", "1");
    }

    @Override
    void mend(TroubledStore store) {
      store.command("REPLICAOF", "NO", "ONE");
    }
  },
  MASTERDOWN("a replica without its master: `MASTERDOWN`", StoreFault.MASTER_DOWN) {
    @Override
    void provoke(TroubledStore store) {
      store.command("CONFIG", "SET", "replica-serve-stale-data", "no");
      store.command("REPLICAOF", "127.0.0.1", "1");
    }

    @Override
    void mend(TroubledStore store) {
      store.command("REPLICAOF", "NO", "ONE");
    }
  },
  CLUSTERDOWN("a cluster without slots: `CLUSTERDOWN`", StoreFault.CLUSTER_DOWN) {
    @Override
    void provoke(TroubledStore store) {
      store.leadToAnother("cluster-enabled yes");
    }

    @Override
    void mend(TroubledStore store) {
      store.leadBack();
    }
  },
  LOADING("it reads a large dump: `LOADING`", StoreFault.LOADING) {
    @Override
    void prepare(TroubledStore store) {
      // It says so between two chunks of 2 MB only.
      store.command("CONFIG", "SET", "rdbcompression", "no");
      store.command("CONFIG", "SET", "key-load-delay", "500");
      store.command("DEBUG", "POPULATE", "2000", "filler", "32768");
      store.save();
    }

    @Override
    void provoke(TroubledStore store) {
      store.begin("DEBUG", "RELOAD", "NOSAVE");
    }

    @Override
    void mend(TroubledStore store) {
      // It ends when everything has been read.
    }

    @Override
    boolean endsByItself() {
      return true;
    }
  },
  OOM("no memory: `OOM`", StoreFault.OUT_OF_MEMORY) {
    @Override
    void provoke(TroubledStore store) {
      store.command("CONFIG", "SET", "maxmemory", "1");
    }

    @Override
    void mend(TroubledStore store) {
      store.command("CONFIG", "SET", "maxmemory", "0");
    }
  },
  BUSY("somebody's endless script: `BUSY`", StoreFault.BUSY) {
    @Override
    void provoke(TroubledStore store) {
      store.command("CONFIG", "SET", "lua-time-limit", "1");
      store.begin("EVAL", "while true do end", "0");
    }

    @Override
    void mend(TroubledStore store) {
      store.command("SCRIPT", "KILL");
    }
  },
  MISCONF("it cannot save: `MISCONF`", StoreFault.MISCONFIGURED) {
    @Override
    void provoke(TroubledStore store) {
      store.failSaving();
    }

    @Override
    void mend(TroubledStore store) {
      store.command("CONFIG", "SET", "save", "");
    }
  },
  NOREPLICAS("too few replicas: `NOREPLICAS`", StoreFault.NO_REPLICAS) {
    @Override
    void provoke(TroubledStore store) {
      store.command("CONFIG", "SET", "min-replicas-to-write", "1");
    }

    @Override
    void mend(TroubledStore store) {
      store.command("CONFIG", "SET", "min-replicas-to-write", "0");
    }
  },
  NOAUTH("it wants a password, the kit has none: `NOAUTH`", StoreFault.AUTHENTICATION) {
    @Override
    void provoke(TroubledStore store) {
      store.leadToAnother("requirepass wanted");
    }

    @Override
    void mend(TroubledStore store) {
      store.leadBack();
    }
  },
  WRONGPASS("the password was changed: `WRONGPASS`", StoreFault.AUTHENTICATION) {
    @Override
    void provoke(TroubledStore store) {
      store.command("ACL", "SETUSER", TroubledStore.USER, "resetpass", ">another");
      store.command("CLIENT", "KILL", "USER", TroubledStore.USER);
    }

    @Override
    void mend(TroubledStore store) {
      store.command("ACL", "SETUSER", TroubledStore.USER, ">" + TroubledStore.PASSWORD);
    }

    @Override
    boolean asUser() {
      return true;
    }
  },
  NOPERM("the user may not run scripts any more: `NOPERM`", StoreFault.PERMISSION) {
    @Override
    void provoke(TroubledStore store) {
      store.command("ACL", "SETUSER", TroubledStore.USER, "-evalsha", "-eval");
    }

    @Override
    void mend(TroubledStore store) {
      store.command("ACL", "SETUSER", TroubledStore.USER, "+evalsha", "+eval");
    }

    @Override
    boolean asUser() {
      return true;
    }
  },
  SCRIPT("a command of the script is not there: any other error", StoreFault.SCRIPT) {
    @Override
    void provoke(TroubledStore store) {
      store.leadToAnother("rename-command GET \"\"", "rename-command MGET \"\"");
    }

    @Override
    void mend(TroubledStore store) {
      store.leadBack();
    }
  },
  WRONGTYPE("a hash of somebody else in place of the count: `WRONGTYPE`", null) {
    @Override
    void provoke(TroubledStore store) {
      store.command(
          "EVAL",
          "redis.call('DEL', KEYS[1]) return redis.call('HSET', KEYS[1], 'a', 'b')",
          "1",
          TroubledStore.KEY);
    }

    @Override
    void mend(TroubledStore store) {
      // The kit has, by then.
    }
  },
  MAX_CLIENTS("room for no more clients", StoreFault.TOO_MANY_CLIENTS) {
    @Override
    void provoke(TroubledStore store) {
      store.leadToAFullOne();
    }

    @Override
    void mend(TroubledStore store) {
      store.leadBack();
    }
  },
  REFUSED("nothing listens: connection refused", StoreFault.UNREACHABLE) {
    @Override
    void provoke(TroubledStore store) {
      store.proxy().refuse();
    }

    @Override
    void mend(TroubledStore store) {
      store.proxy().pass();
    }
  },
  RESET("connections are reset (RST), the new ones too", StoreFault.RESET) {
    @Override
    void provoke(TroubledStore store) {
      store.proxy().reset();
    }

    @Override
    void mend(TroubledStore store) {
      store.proxy().pass();
    }
  },
  HALF_CLOSED("the server ends its side (FIN), and takes requests on", StoreFault.RESET) {
    @Override
    void provoke(TroubledStore store) {
      store.proxy().halfClose();
    }

    @Override
    void mend(TroubledStore store) {
      store.proxy().pass();
    }
  },
  HALF_OPEN("half-open: requests are taken, nothing comes back", StoreFault.TIMEOUT) {
    @Override
    void provoke(TroubledStore store) {
      store.proxy().swallowReplies();
    }

    @Override
    void mend(TroubledStore store) {
      store.proxy().pass();
    }
  },
  STOPPED("the process is stopped: `SIGSTOP`", StoreFault.TIMEOUT) {
    @Override
    void provoke(TroubledStore store) {
      store.server().pause();
    }

    @Override
    void mend(TroubledStore store) {
      store.server().resume();
    }
  },
  DRIBBLE("replies come one byte in 100 ms", StoreFault.TIMEOUT) {
    @Override
    void provoke(TroubledStore store) {
      store.proxy().dribble(Duration.ofMillis(100));
    }

    @Override
    void mend(TroubledStore store) {
      store.proxy().pass();
    }
  };

  private final String words;
  private final @Nullable StoreFault fault;

  StoreTrouble(String words, @Nullable StoreFault fault) {
    this.words = words;
    this.fault = fault;
  }

  /** For the page. */
  String words() {
    return words;
  }

  /** As what it has to be counted; null if it is no fault of the store. */
  @Nullable StoreFault fault() {
    return fault;
  }

  /** Whether the node is given up for it. */
  boolean shuts() {
    return fault != null && fault.concernsNode();
  }

  /** What it takes that would be a trouble of its own. */
  void prepare(TroubledStore store) {}

  abstract void provoke(TroubledStore store);

  abstract void mend(TroubledStore store);

  /** Whether the kit has to have a user of its own. */
  boolean asUser() {
    return false;
  }

  /** Whether it may be over before it is mended. */
  boolean endsByItself() {
    return false;
  }
}
