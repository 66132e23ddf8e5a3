package io.github.limiterkit.degraded;

import io.github.limiterkit.Decision;
import io.github.limiterkit.Receipt;

/**
 * The receipt for charges of both scopes: the decisions about each, with receipts of their own.
 *
 * @param shared what the store admitted
 * @param here what counts on this instance alone
 */
record MixedReceipt(Decision shared, Decision here) implements Receipt {}
