package io.github.limiterkit.servlet;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** Collects what kits tell and warn of while this is open. */
final class KitLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final Logger logger = (Logger) LoggerFactory.getLogger("limiterkit");
  private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();

  KitLog() {
    start();
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    events.add(event);
  }

  List<String> warnings() {
    return lines(Level.WARN);
  }

  List<String> infos() {
    return lines(Level.INFO);
  }

  private List<String> lines(Level level) {
    return events.stream()
        .filter(event -> event.getLevel() == level)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setAdditive(true);
    logger.setLevel(null);
  }
}
