package io.github.limiterkit.examples.outagereplay;

/** What befalls the store, and under which load. */
enum Outage {
  /** A neighbour's key scans slow Redis down. */
  A(
      "the denial loop",
      "Redis slows down from 2 ms to 40 ms and at times 60 ms, as from a neighbour's key scans"),

  /** The master is killed, and nothing takes its place. */
  B(
      "the open gate",
      "the Redis master is killed and nothing takes its place, under bots that send 10 times the legitimate load");

  private final String title;
  private final String story;

  Outage(String title, String story) {
    this.title = title;
    this.story = story;
  }

  String title() {
    return title;
  }

  String story() {
    return story;
  }

  Scene scene() {
    return switch (this) {
      case A -> new Scene(this, Load.SOME_BOTS, Store::slowDown, Store::calmDown);
      case B -> new Scene(this, Load.TEN_TIMES_BOTS, Store::kill, Store::restart);
    };
  }
}
