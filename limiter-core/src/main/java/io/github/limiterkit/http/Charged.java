package io.github.limiterkit.http;

import io.github.limiterkit.Charge;

/**
 * One charge of a request.
 *
 * @param policy that asks for it
 * @param quota the policy's, or a tier's
 * @param charge what is charged
 */
record Charged(HttpPolicy policy, Quota quota, Charge charge) {}
