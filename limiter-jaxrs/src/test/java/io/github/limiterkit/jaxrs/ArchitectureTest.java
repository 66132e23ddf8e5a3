package io.github.limiterkit.jaxrs;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.ws.rs.ext.Provider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the adapter may know of the kit. */
class ArchitectureTest {

  private static final String ROOT = "io.github.limiterkit";
  private static final String OWN = ROOT + ".jaxrs";

  @Test
  @DisplayName("JX-13: no class is registered by scanning")
  void isNotRegisteredByScanning() {
    noClasses()
        .should()
        .beMetaAnnotatedWith(Provider.class)
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(OWN));
  }

  @Test
  void knowsTheRulesOfHttpAndTheKitAndNothingElse() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage(ROOT + "..")
                .and(not(resideInAnyPackage(OWN, ROOT + ".http", ROOT + ".setup"))))
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(OWN));
  }
}
