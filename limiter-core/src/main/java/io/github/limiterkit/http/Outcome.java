package io.github.limiterkit.http;

import io.github.limiterkit.Decision;
import java.util.List;

/**
 * What became of a request.
 *
 * @param charged by all policies that were asked
 * @param binding those of them whose policies may refuse, which leaves out what is in shadow
 * @param decision about the binding ones, which the request is told
 * @param made what the limiter decided last, with the receipt for what it charged
 */
record Outcome(List<Charged> charged, List<Charged> binding, Decision decision, Decision made) {}
