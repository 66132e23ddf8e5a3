package io.github.limiterkit.cases;

import io.github.limiterkit.testing.FaultProxy;
import java.time.Duration;
import java.util.function.Consumer;

/** What a network, or whatever answers at a store's port, may do. */
@SuppressWarnings("ImmutableEnumChecker") // a consumer that keeps nothing
enum WireFault {
  NONE(proxy -> {}),
  REFUSE(FaultProxy::refuse),
  RESET(FaultProxy::reset),
  HALF_CLOSE(FaultProxy::halfClose),
  SILENCE(FaultProxy::swallowReplies),
  SLOW(proxy -> proxy.delay(Duration.ofSeconds(2))),
  DRIBBLE(proxy -> proxy.dribble(Duration.ofMillis(20))),
  HALF_A_REPLY(proxy -> proxy.cutReplies(3)),
  NO_END_OF_A_REPLY(proxy -> proxy.answer("*2\r\n:1\r\n")),
  GARBAGE(proxy -> proxy.answer("garbage\r\n")),
  WRONG_PROTOCOL(proxy -> proxy.answer("HTTP/1.1 400 Bad Request\r\n\r\n")),
  HUGE_REPLY(proxy -> proxy.answer("$536870912\r\n")),
  HUGE_LIST(proxy -> proxy.answer("*2147483647\r\n")),
  NEGATIVE_LENGTH(proxy -> proxy.answer("*-5\r\n")),
  DEEP_LIST(proxy -> proxy.answer("*1\r\n".repeat(50_000))),
  NIL(proxy -> proxy.answer("$-1\r\n")),
  EMPTY(proxy -> proxy.answer("*0\r\n")),
  OTHER_ERROR(proxy -> proxy.answer("-ERR unknown\r\n")),
  ERROR_WITHOUT_WORDS(proxy -> proxy.answer("-\r\n")),
  NOSCRIPT_FOR_EVER(proxy -> proxy.answer("-NOSCRIPT No matching script\r\n")),
  MOVED(proxy -> proxy.answer("-MOVED 1234 127.0.0.1:1\r\n"));

  private final Consumer<FaultProxy> inject;

  WireFault(Consumer<FaultProxy> inject) {
    this.inject = inject;
  }

  void inject(FaultProxy proxy) {
    inject.accept(proxy);
  }
}
