/**
 * The counter that instances share through Redis or Valkey: one script, its keys, and the lanes
 * that carry many decisions in one call. The only package that uses Jedis.
 */
@NullMarked
package io.github.limiterkit.redis;

import org.jspecify.annotations.NullMarked;
