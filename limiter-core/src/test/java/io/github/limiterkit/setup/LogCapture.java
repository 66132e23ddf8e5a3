package io.github.limiterkit.setup;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What the kit writes to its log while this is open. */
public final class LogCapture implements AutoCloseable {

  private final Logger logger = (Logger) LoggerFactory.getLogger("limiterkit");
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  /** Begins to capture, down to DEBUG. */
  public LogCapture() {
    appender.start();
    logger.addAppender(appender);
    logger.setLevel(Level.DEBUG);
    logger.setAdditive(false);
  }

  /** The lines so far of one level. */
  public List<String> at(Level level) {
    return List.copyOf(appender.list).stream()
        .filter(event -> event.getLevel() == level)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setLevel(null);
    logger.setAdditive(true);
  }
}
