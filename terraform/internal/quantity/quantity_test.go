package quantity

import "testing"

func TestDurationsOfOneMeaningAreTheSame(t *testing.T) {
	for _, pair := range [][2]string{{"72h", "3d"}, {"3d", "259200s"}, {"1h30m", "90m"}, {"0", "0s"}, {"0.5s", "500ms"}, {"2w", "14d"}, {"72h0m0s", "72h"}, {"1us", "1µs"}} {
		if !SameDuration(pair[0], pair[1]) {
			t.Errorf("%s is not %s", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"1h", "61m"}, {"1s", "1ms"}, {"-1s", "1s"}, {"x", "0s"}} {
		if SameDuration(pair[0], pair[1]) {
			t.Errorf("%s is %s", pair[0], pair[1])
		}
	}
}

func TestWhatIsNoDurationIsRefused(t *testing.T) {
	for _, text := range []string{"", "3", "3 days", "h", "1h 30m", "1.5.5h", "9999999h", "1e3s", "0.1ns"} {
		if nanos, err := ParseDuration(text); err == nil {
			t.Errorf("%q became %d ns", text, nanos)
		}
	}
}

func TestSizesOfOneMeaningAreTheSame(t *testing.T) {
	for _, pair := range [][2]string{{"1GiB", "1073741824"}, {"1024 MiB", "1GiB"}, {"1.5KiB", "1536"}, {"1GB", "1000MB"}, {"-1", "-1"}, {"1gib", "1GiB"}} {
		if !SameSize(pair[0], pair[1]) {
			t.Errorf("%s is not %s", pair[0], pair[1])
		}
	}
	if SameSize("1GB", "1GiB") {
		t.Error("1GB is 1GiB")
	}
}

func TestWhatIsNoSizeIsRefused(t *testing.T) {
	for _, text := range []string{"", "GiB", "10 gigs", "-2", "-1GiB", "0.3", "99999999TiB", "1..5KiB"} {
		if bytes, err := ParseSize(text); err == nil {
			t.Errorf("%q became %d", text, bytes)
		}
	}
}

func FuzzDuration(f *testing.F) {
	for _, text := range []string{"72h", "1h30m", "250ms", "1.5s", "3d", "0", "-1m"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		nanos, err := ParseDuration(text)
		if err != nil {
			return
		}
		again, err := ParseDuration(FormatDuration(nanos))
		if err != nil || again != nanos {
			t.Errorf("%q is %d ns, written %q, read %d: %v", text, nanos, FormatDuration(nanos), again, err)
		}
	})
}

func FuzzSize(f *testing.F) {
	for _, text := range []string{"10GiB", "1.5 MB", "-1", "0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		bytes, err := ParseSize(text)
		if err != nil {
			return
		}
		again, err := ParseSize(FormatSize(bytes))
		if err != nil || again != bytes {
			t.Errorf("%q is %d, written %q, read %d: %v", text, bytes, FormatSize(bytes), again, err)
		}
	})
}
