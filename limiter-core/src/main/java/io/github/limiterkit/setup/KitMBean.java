package io.github.limiterkit.setup;

import io.github.limiterkit.OperatorSwitch;
import io.github.limiterkit.degraded.OperatorOverride;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;

/** What an operator sees of a kit through JMX, with words for what would be called p1 and p2. */
final class KitMBean extends StandardMBean implements LimiterKitMXBean {

  private static final String DOOR = "JMX";

  private static final Map<String, String> OPERATIONS =
      Map.of(
          "limitLocallyOnly",
          "Limit on this instance alone for 1 to 1440 minutes, as if the store were lost",
          "allowAll",
          "Let everything pass for 1 to 1440 minutes: NO LIMIT is in force on this instance",
          "backToNormal",
          "End what was switched");

  private final RunningKit kit;

  KitMBean(RunningKit kit) {
    super(LimiterKitMXBean.class, true);
    this.kit = kit;
  }

  @Override
  public String getMode() {
    return kit.mode().name();
  }

  @Override
  public List<String> getPolicies() {
    return kit.decisions().policies();
  }

  @Override
  public String getAlarm() {
    String alarm = kit.alarm();
    return alarm == null ? "" : alarm;
  }

  @Override
  public String getOverride() {
    return kit.override().name();
  }

  @Override
  public long getOverrideSecondsLeft() {
    OperatorOverride.Standing standing = kit.operatorOverride().standing();
    return standing == null ? 0 : standing.remaining().plusNanos(999_999_999).toSeconds();
  }

  @Override
  public String getOverrideReason() {
    OperatorOverride.Standing standing = kit.operatorOverride().standing();
    return standing == null ? "" : standing.reason();
  }

  @Override
  public void limitLocallyOnly(long minutes, String reason) {
    set(OperatorSwitch.LOCAL_ONLY, minutes, reason);
  }

  @Override
  public void allowAll(long minutes, String reason) {
    set(OperatorSwitch.ALLOW_ALL, minutes, reason);
  }

  @Override
  public void backToNormal(String reason) {
    set(OperatorSwitch.NORMAL, 0, reason);
  }

  private void set(OperatorSwitch position, long minutes, @Nullable String reason) {
    // A client may leave the text out, and a number of minutes may be too large for a duration.
    long bounded = Math.max(-1, Math.min(minutes, OperatorOverride.LONGEST.toMinutes() + 1));
    kit.operatorOverride()
        .set(position, Duration.ofMinutes(bounded), reason == null ? "" : reason, DOOR);
  }

  @Override
  protected String getDescription(MBeanOperationInfo operation) {
    return OPERATIONS.getOrDefault(operation.getName(), operation.getName());
  }

  @Override
  protected String getParameterName(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
    return parameter.getType().equals("long") ? "minutes" : "reason";
  }

  @Override
  protected String getDescription(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
    return parameter.getType().equals("long")
        ? "After how many minutes it ends by itself, 1 to 1440"
        : "Why, for the log: 1 to 200 characters";
  }
}
