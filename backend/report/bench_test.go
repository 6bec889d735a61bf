package report_test

import (
	"testing"
	"time"

	"veristream/backend/report"
)

func BenchmarkSign500(b *testing.B) {
	in := sample(b, 500)
	id := identity(b, "Lena Brandt", when.Add(-time.Hour))
	b.ReportAllocs()
	for b.Loop() {
		out, err := report.Sign(b.Context(), in, id, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(out)), "pdf-bytes")
	}
}

func BenchmarkVerify500(b *testing.B) {
	in := sample(b, 500)
	data := signed(b, in, identity(b, "Lena Brandt", when.Add(-time.Hour)))
	b.ReportAllocs()
	for b.Loop() {
		if v := report.Verify(data, report.Trust{Now: when.Add(time.Hour)}); v.Failed() {
			b.Fatal(v.Problems())
		}
	}
}
