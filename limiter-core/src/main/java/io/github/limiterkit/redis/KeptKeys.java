package io.github.limiterkit.redis;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys in Redis of whoever is charged. Those that were made lately are kept, each where the
 * hash of its subject says: with SHA-256 in them they are costly to make. Written without a lock:
 * what is there is complete and right, and what is lost is made again.
 */
final class KeptKeys {

  /** Subjects whose keys are kept, at most: some 4 MB. A power of two. */
  private static final int KEPT = 16_384;

  private final KeyNames names;
  private final @Nullable SubjectKeys[] kept = new SubjectKeys[KEPT];

  KeptKeys(KeyNames names) {
    this.names = names;
  }

  /** The keys of each charge's limits. */
  SubjectKeys[] of(List<Charge> charges) {
    SubjectKeys[] subjects = new SubjectKeys[charges.size()];
    for (int c = 0; c < subjects.length; c++) {
      Charge charge = charges.get(c);
      subjects[c] = of(charge.policy(), charge.key());
    }
    return subjects;
  }

  private SubjectKeys of(Policy policy, String subject) {
    int whose = 31 * policy.name().hashCode() + subject.hashCode();
    int place = (whose ^ (whose >>> 16)) & (KEPT - 1);
    SubjectKeys known = kept[place];
    if (known != null && known.isOf(policy, subject)) {
      return known;
    }
    SubjectKeys made = new SubjectKeys(policy, subject, names.tag(policy, subject));
    if (subject.length() <= KeyNames.LONGEST_SUBJECT) {
      kept[place] = made;
    }
    return made;
  }
}
