package io.github.limiterkit.servlet;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** Collects what kits warn of while this is open. */
final class Warnings extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final Logger logger = (Logger) LoggerFactory.getLogger("limiterkit");
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  Warnings() {
    start();
    logger.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel() == Level.WARN) {
      lines.add(event.getFormattedMessage());
    }
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.detachAppender(this);
  }
}
