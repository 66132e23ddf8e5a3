package io.github.limiterkit.examples.outagereplay;

/**
 * One request, as its sender saw it.
 *
 * @param at when it was sent, in seconds since the run began
 * @param millis until the answer
 * @param bot whether a bot sent it
 * @param key which client, or which bot
 * @param status of the answer; 0 if there was none
 */
record Exchange(double at, double millis, boolean bot, int key, int status) {

  boolean served() {
    return status == 200;
  }

  /** Whether the limiter let it through, whatever became of it then. */
  boolean admitted() {
    return served() || status == ApiServlet.NOT_DONE || status == 0;
  }
}
