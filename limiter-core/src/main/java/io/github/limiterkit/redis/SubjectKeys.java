package io.github.limiterkit.redis;

import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What one subject of a policy is called in Redis. Shared by many calls, so never changed. */
final class SubjectKeys {

  /** The part that the keys of all limits have in common. */
  final String tag;

  private final Policy policy;
  private final String subject;
  private final byte[][] keys;

  SubjectKeys(Policy policy, String subject, String tag) {
    this.policy = policy;
    this.subject = subject;
    this.tag = tag;
    List<Limit> limits = policy.limits();
    this.keys = new byte[limits.size()][];
    for (int l = 0; l < keys.length; l++) {
      keys[l] = KeyNames.key(tag, limits.get(l)).getBytes(StandardCharsets.US_ASCII);
    }
  }

  boolean isOf(Policy whose, String whom) {
    return policy == whose && subject.equals(whom);
  }

  /** The keys of all limits of some subjects, as they are sent. Not to be changed. */
  static byte[][] keys(SubjectKeys[] subjects) {
    if (subjects.length == 1) {
      return subjects[0].keys;
    }
    int count = 0;
    for (SubjectKeys subject : subjects) {
      count += subject.keys.length;
    }
    byte[][] all = new byte[count][];
    int at = 0;
    for (SubjectKeys subject : subjects) {
      System.arraycopy(subject.keys, 0, all, at, subject.keys.length);
      at += subject.keys.length;
    }
    return all;
  }
}
