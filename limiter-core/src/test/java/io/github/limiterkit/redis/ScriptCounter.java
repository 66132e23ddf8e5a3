package io.github.limiterkit.redis;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.StoreReply;
import io.github.limiterkit.testing.DifferentialSequences.Answer;
import io.github.limiterkit.testing.DifferentialSequences.Counter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Protocol.Command;

/** The script on a real server, at times that a test chooses; for one thread. */
final class ScriptCounter implements Counter, AutoCloseable {

  private final KeyNames keyNames = KeyNames.readable("script");
  private final KeptKeys keys = new KeptKeys(keyNames);
  private final Link link;

  ScriptCounter(String url) {
    this.link = Link.open(RedisStore.at(url), 5_000, socket -> {});
  }

  @Override
  public Answer decide(List<Charge> charges, long nowMillis) {
    return Answer.of(decideAll(List.of(charges), nowMillis).get(0));
  }

  /** Decides several requests in one call of the script. */
  List<StoreReply> decideAll(List<List<Charge>> requests, long nowMillis) {
    List<DecideCall> calls = new ArrayList<>();
    for (List<Charge> charges : requests) {
      int limits = charges.stream().mapToInt(charge -> charge.policy().limits().size()).sum();
      calls.add(call(charges, new long[limits]));
    }
    return send(calls, Long.toString(nowMillis));
  }

  /** Decides one request with floors. */
  StoreReply decide(Charge charge, long[] floors, long nowMillis) {
    return decide(List.of(charge), floors, nowMillis);
  }

  /** Decides one request of several charges with floors. */
  StoreReply decide(List<Charge> charges, long[] floors, long nowMillis) {
    return send(List.of(call(charges, floors)), Long.toString(nowMillis)).get(0);
  }

  /** The state of a limit, as the name of its key. */
  String key(Charge charge, Limit limit) {
    return KeyNames.key(keyNames.tag(charge.policy(), charge.key()), limit);
  }

  private DecideCall call(List<Charge> charges, long[] floors) {
    return new DecideCall(charges, floors, keys.of(charges), deadline(), false);
  }

  private static long deadline() {
    return System.nanoTime() + 5_000_000_000L;
  }

  /** Gives back what was admitted. */
  long[] refund(List<Charge> charges, long stampMillis, long[] birthsMillis, long nowMillis) {
    return send(
            List.of(
                new RefundCall(charges, keys.of(charges), stampMillis, birthsMillis, deadline())),
            Long.toString(nowMillis))
        .get(0);
  }

  /** Forgets what was counted for one key. */
  boolean reset(Policy policy, String key, long nowMillis) {
    Charge whose = new Charge(policy, key, 0);
    return send(
            List.of(new ResetCall(policy, keys.of(List.of(whose)), deadline())),
            Long.toString(nowMillis))
        .get(0);
  }

  private <R> List<R> send(List<? extends Call<R>> calls, String clock) {
    Flush flush = new Flush(calls);
    link.send(
        Command.EVALSHA,
        flush.arguments(Script.DECIDE.sha(), clock.getBytes(StandardCharsets.US_ASCII)));
    flush.settle(link.read(PatientSocket.NEVER));
    List<R> results = new ArrayList<>();
    calls.forEach(call -> results.add(call.await()));
    return results;
  }

  @Override
  public void close() {
    link.close();
  }
}
