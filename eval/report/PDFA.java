import java.io.FileInputStream;
import java.util.Map;
import java.util.TreeMap;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/** Lets veraPDF say whether reports are PDF/A-3a, as they declare. See pom.xml for how to run it. */
public class PDFA {
  public static void main(String[] files) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    boolean failed = files.length == 0;
    for (String file : files) {
      try (FileInputStream in = new FileInputStream(file);
          PDFAParser parser = Foundries.defaultInstance().createParser(in, PDFAFlavour.PDFA_3_A)) {
        PDFAValidator validator = Foundries.defaultInstance().createValidator(PDFAFlavour.PDFA_3_A, false);
        ValidationResult result = validator.validate(parser);
        System.out.printf("%s: PDF/A-3a %s, %d checks%n", file, result.isCompliant(), result.getTotalAssertions());
        Map<String, Integer> broken = new TreeMap<>();
        for (TestAssertion a : result.getTestAssertions()) {
          if (a.getStatus() == TestAssertion.Status.FAILED) {
            broken.merge(a.getRuleId().getClause() + "-" + a.getRuleId().getTestNumber() + " " + a.getMessage(), 1, Integer::sum);
          }
        }
        broken.forEach((rule, n) -> System.out.printf("  %d times %s%n", n, rule));
        failed |= !result.isCompliant();
      }
    }
    System.exit(failed ? 1 : 0);
  }
}
