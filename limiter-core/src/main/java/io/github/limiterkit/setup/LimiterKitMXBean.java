package io.github.limiterkit.setup;

import java.util.List;
import javax.management.MXBean;

/**
 * A running kit, for an operator with JConsole or another JMX client. The object is named {@code
 * io.github.limiterkit:type=LimiterKit,id=1}; further kits of the JVM have the next numbers.
 *
 * <p>A switch is set on this instance only, always ends by itself, and is told in the log at its
 * beginning and at its end.
 */
@MXBean
public interface LimiterKitMXBean {

  /**
   * How the kit counts now.
   *
   * @return {@code SHARED}, {@code DEGRADED}, {@code PROBING} or {@code LOCAL}
   */
  String getMode();

  /**
   * The kit's policies, by which one kit can be told from another.
   *
   * @return their names, in the order configured
   */
  List<String> getPolicies();

  /**
   * What somebody has to mend before the store can be used again.
   *
   * @return node and fault, without any secret; empty if there is nothing to mend
   */
  String getAlarm();

  /**
   * What the kit was switched to.
   *
   * @return {@code NORMAL}, {@code LOCAL_ONLY} or {@code ALLOW_ALL}
   */
  String getOverride();

  /**
   * How long the switch still holds.
   *
   * @return seconds, rounded up; 0 if it is {@code NORMAL}
   */
  long getOverrideSecondsLeft();

  /**
   * Why it was set.
   *
   * @return what the operator said; empty if it is {@code NORMAL}
   */
  String getOverrideReason();

  /**
   * Limits on this instance alone for a while, as if the store were lost.
   *
   * @param minutes after which it ends by itself, 1 to 1440
   * @param reason for the log, 1 to 200 characters
   */
  void limitLocallyOnly(long minutes, String reason);

  /**
   * Lets everything pass for a while: no limit is in force on this instance.
   *
   * @param minutes after which it ends by itself, 1 to 1440
   * @param reason for the log, 1 to 200 characters
   */
  void allowAll(long minutes, String reason);

  /**
   * Ends what was switched.
   *
   * @param reason for the log, 1 to 200 characters
   */
  void backToNormal(String reason);
}
