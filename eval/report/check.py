"""Lets pyHanko, a program that knows nothing of VeriStream, judge a report.

    python3 -m venv /tmp/pyhanko && /tmp/pyhanko/bin/pip install pyhanko
    veristream report identity --export signer.pem
    /tmp/pyhanko/bin/python eval/report/check.py REPORT.pdf signer.pem [APPROVAL.p7s approver.pem]

It wants: one signature, ETSI.CAdES.detached, intact, valid and trusted through
the certificate that is given, over the entire file, certified with no changes
allowed, and passed by AdES basic validation (ETSI EN 319 102-1). An approval is
checked as a detached CMS signature over the whole file.
"""

import asyncio
import sys

from asn1crypto import cms
from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.ades.report import AdESPassed
from pyhanko.sign.diff_analysis import ModificationLevel
from pyhanko.sign.fields import MDPPerm
from pyhanko.sign.validation import async_validate_detached_cms, validate_pdf_signature
from pyhanko.sign.validation.ades import ades_basic_validation
from pyhanko.sign.validation.policy_decl import PdfSignatureValidationSpec, SignatureValidationSpec
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.policy_decl import NO_REVOCATION, CertRevTrustPolicy
from pyhanko_certvalidator.registry import SimpleTrustManager

wrong = []


def want(what, ok):
    print(("ok    " if ok else "WRONG ") + what)
    if not ok:
        wrong.append(what)


def report(path, root):
    with open(path, "rb") as handle:
        signatures = PdfFileReader(handle, strict=True).embedded_signatures
        want("one signature", len(signatures) == 1)
        signature = signatures[0]
        want("ETSI.CAdES.detached", signature.sig_object["/SubFilter"] == "/ETSI.CAdES.detached")
        status = validate_pdf_signature(signature, ValidationContext(trust_roots=[root]))
        want("intact", status.intact)
        want("valid", status.valid)
        want("trusted through the given certificate", status.trusted)
        want("over the entire file", status.coverage == SignatureCoverageLevel.ENTIRE_FILE)
        want("not modified", status.modification_level == ModificationLevel.NONE)
        want("no changes are allowed (DocMDP 1)", signature.docmdp_level == MDPPerm.NO_CHANGES)
        attributes = {a["type"].native for a in signature.signer_info["signed_attrs"]}
        want("signing-certificate-v2 is signed", "signing_certificate_v2" in attributes)
        want("no signing-time inside (EN 319 142-1, 6.3)", "signing_time" not in attributes)
        spec = SignatureValidationSpec(
            cert_validation_policy=CertValidationPolicySpec(
                trust_manager=SimpleTrustManager.build(trust_roots=[root]),
                revinfo_policy=CertRevTrustPolicy(NO_REVOCATION),
            ),
        )
        judged = asyncio.run(ades_basic_validation(signature.signed_data, spec, raw_digest=signature.compute_digest()))
        print("      AdES basic validation:", judged.ades_subindic)
        want("AdES basic validation", judged.ades_subindic == AdESPassed.OK)


def approval(path, object_path, root):
    with open(object_path, "rb") as handle:
        signed = cms.ContentInfo.load(handle.read())["content"]
    with open(path, "rb") as handle:
        status = asyncio.run(async_validate_detached_cms(handle, signed, ValidationContext(trust_roots=[root])))
    want("approval: intact", status.intact)
    want("approval: valid", status.valid)
    want("approval: trusted through the given certificate", status.trusted)


report(sys.argv[1], load_cert_from_pemder(sys.argv[2]))
if len(sys.argv) > 3:
    approval(sys.argv[1], sys.argv[3], load_cert_from_pemder(sys.argv[4]))
sys.exit(1 if wrong else 0)
