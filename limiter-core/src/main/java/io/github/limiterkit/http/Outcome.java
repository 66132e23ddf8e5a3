package io.github.limiterkit.http;

import io.github.limiterkit.Decision;
import java.util.List;

/**
 * What became of a request.
 *
 * @param charged by policies that may refuse; those in shadow are not among them
 * @param decision about these
 */
record Outcome(List<Charged> charged, Decision decision) {}
