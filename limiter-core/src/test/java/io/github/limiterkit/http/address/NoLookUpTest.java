package io.github.limiterkit.http.address;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a client writes is never taken for a name to ask DNS for. */
class NoLookUpTest {

  @Test
  @DisplayName("IP-11, HT-024: nothing in the rules of HTTP looks a name up")
  void looksNoNameUp() {
    noClasses()
        .should()
        .callMethod(InetAddress.class, "getByName", String.class)
        .orShould()
        .callMethod(InetAddress.class, "getAllByName", String.class)
        .orShould()
        .callConstructor(InetSocketAddress.class, String.class, int.class)
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.github.limiterkit.http"));
  }
}
