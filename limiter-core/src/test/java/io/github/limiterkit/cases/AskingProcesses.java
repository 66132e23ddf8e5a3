package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Policy;
import io.github.limiterkit.setup.LimiterKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Instances in processes of their own that begin together and ask for one key, in rounds with a
 * fresh limit each.
 *
 * @param processes how many
 * @param rounds how many
 * @param threads of each process
 * @param calls of each process in each round
 * @param limits of each round
 */
record AskingProcesses(int processes, int rounds, int threads, int calls, String limits) {

  /** How many calls each round admitted, all processes together. */
  List<Integer> admitted(String redis) throws Exception {
    List<String> arguments =
        List.of(
            redis, String.valueOf(rounds), String.valueOf(threads), String.valueOf(calls), limits);
    int[] admitted = new int[rounds];
    List<ChildJvm> children = new ArrayList<>();
    try {
      for (int i = 0; i < processes; i++) {
        children.add(ChildJvm.start(AskingProcesses.class, arguments));
      }
      for (ChildJvm child : children) {
        assertThat(child.hears()).isEqualTo("ready");
      }
      for (ChildJvm child : children) {
        child.tell("go");
      }
      for (ChildJvm child : children) {
        List<String> lines = child.hearsToTheEnd(Duration.ofMinutes(3));
        assertThat(lines).hasSize(rounds);
        for (int r = 0; r < rounds; r++) {
          admitted[r] += Integer.parseInt(lines.get(r));
        }
      }
    } finally {
      children.forEach(ChildJvm::close);
    }
    return IntStream.of(admitted).boxed().toList();
  }

  /** One policy for each round. */
  static List<Policy> rounds(int rounds, String limits) {
    return IntStream.range(0, rounds)
        .mapToObj(round -> Policy.named("round-" + round).limits(limits).build())
        .toList();
  }

  /** Runs in a process of its own: URL, rounds, threads, calls, limits. */
  public static void main(String[] arguments) throws Exception {
    try (LimiterKit kit = Kits.shared(Kits.over(arguments[0], Kits.AMPLE, Kits.plenty()).build())) {
      ChildJvm.say("ready");
      int unused = System.in.read();
      List<Policy> rounds = rounds(Integer.parseInt(arguments[1]), arguments[4]);
      int threads = Integer.parseInt(arguments[2]);
      int calls = Integer.parseInt(arguments[3]);
      Together.admitted(threads, calls, Kits.limiter(kit), rounds).forEach(ChildJvm::say);
    }
  }
}
