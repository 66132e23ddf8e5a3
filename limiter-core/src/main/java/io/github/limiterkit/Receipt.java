package io.github.limiterkit;

/**
 * What a limiter noted about a charge, so that it can take it back out of the very counter that
 * counted it. It lies inside a {@link Decision} and means nothing to anybody but the limiter that
 * wrote it.
 */
public interface Receipt {}
