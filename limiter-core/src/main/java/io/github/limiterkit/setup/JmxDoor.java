package io.github.limiterkit.setup;

import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A kit in the platform's MBean server, until it is closed. A kit whose operator has no door still
 * limits, so nothing here fails a start.
 */
final class JmxDoor implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");
  private static final String NAME = "io.github.limiterkit:type=LimiterKit,id=";
  private static final int MOST_KITS = 1_000;

  private final MBeanServer server;
  private final ObjectName name;

  private JmxDoor(MBeanServer server, ObjectName name) {
    this.server = server;
    this.name = name;
  }

  /** Null if there can be no door; the log says why. */
  static @Nullable JmxDoor open(RunningKit kit) {
    try {
      return register(ManagementFactory.getPlatformMBeanServer(), new KitMBean(kit));
    } catch (JMException | RuntimeException | LinkageError none) {
      // A security manager, or a runtime without the module java.management.
      log.warn("there is no JMX for this kit ({}); switch it through its API", none.toString());
      return null;
    }
  }

  /** The server itself says which number is taken: kits may be built at the same time. */
  private static JmxDoor register(MBeanServer server, KitMBean kit) throws JMException {
    for (int id = 1; id <= MOST_KITS; id++) {
      ObjectName name = new ObjectName(NAME + id);
      try {
        server.registerMBean(kit, name);
        return new JmxDoor(server, name);
      } catch (InstanceAlreadyExistsException taken) {
        // The next one then.
      }
    }
    throw new IllegalStateException(
        "there are %d kits in this JVM already; are they ever closed?".formatted(MOST_KITS));
  }

  @Override
  public void close() {
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException gone) {
      // Somebody else took it out; it is not there, which is what was wanted.
    } catch (JMException | RuntimeException broken) {
      log.warn("{} could not be taken out of the MBean server", name, broken);
    }
  }
}
