// Package quantity holds the durations and sizes of the configuration: text in any unit, compared by value.
package quantity

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

var (
	durationWhole = regexp.MustCompile(`^(-?)((?:\d{1,12}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h|d|w))+)$`)
	durationPart  = regexp.MustCompile(`(\d{1,12}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h|d|w)`)
)

var durationUnits = map[string]int64{
	"ns": 1,
	"us": 1_000,
	"µs": 1_000,
	"ms": 1_000_000,
	"s":  1_000_000_000,
	"m":  60_000_000_000,
	"h":  3_600_000_000_000,
	"d":  86_400_000_000_000,
	"w":  604_800_000_000_000,
}

// ParseDuration reads "90s", "1h30m", "3d", "2w" or "0" and gives nanoseconds. A day has 24 hours.
func ParseDuration(text string) (int64, error) {
	if text == "0" {
		return 0, nil
	}
	whole := durationWhole.FindStringSubmatch(text)
	if whole == nil {
		return 0, fmt.Errorf("%q is not a duration: write a number and a unit, such as \"90s\", \"15m\", \"72h\", \"3d\"", text)
	}
	sum := new(big.Rat)
	for _, part := range durationPart.FindAllStringSubmatch(whole[2], -1) {
		number, ok := new(big.Rat).SetString(part[1])
		if !ok {
			return 0, fmt.Errorf("%q is not a number in the duration %q", part[1], text)
		}
		sum.Add(sum, number.Mul(number, new(big.Rat).SetInt64(durationUnits[part[2]])))
	}
	if !sum.IsInt() || !sum.Num().IsInt64() {
		return 0, fmt.Errorf("the duration %q is finer than a nanosecond or longer than 292 years", text)
	}
	nanos := sum.Num().Int64()
	if whole[1] == "-" {
		nanos = -nanos
	}
	return nanos, nil
}

// FormatDuration writes nanoseconds as the API does: hours, minutes, seconds, or one unit below a second.
func FormatDuration(nanos int64) string {
	switch {
	case nanos == 0:
		return "0s"
	case nanos < 0:
		return "-" + FormatDuration(-nanos)
	case nanos < 1_000:
		return strconv.FormatInt(nanos, 10) + "ns"
	case nanos < 1_000_000_000 && nanos%1_000_000 == 0:
		return strconv.FormatInt(nanos/1_000_000, 10) + "ms"
	case nanos < 1_000_000_000 && nanos%1_000 == 0:
		return strconv.FormatInt(nanos/1_000, 10) + "us"
	case nanos < 1_000_000_000:
		return strconv.FormatInt(nanos, 10) + "ns"
	}
	var out strings.Builder
	hours, minutes, rest := nanos/durationUnits["h"], nanos/durationUnits["m"]%60, nanos%durationUnits["m"]
	if hours > 0 {
		fmt.Fprintf(&out, "%dh", hours)
	}
	if minutes > 0 {
		fmt.Fprintf(&out, "%dm", minutes)
	}
	if rest > 0 {
		seconds := fmt.Sprintf("%d.%09d", rest/1_000_000_000, rest%1_000_000_000)
		out.WriteString(strings.TrimSuffix(strings.TrimRight(seconds, "0"), ".") + "s")
	}
	return out.String()
}

// SameDuration tells whether two texts mean the same time; texts that are no durations are compared as they are.
func SameDuration(a, b string) bool {
	x, errX := ParseDuration(a)
	y, errY := ParseDuration(b)
	if errX != nil || errY != nil {
		return a == b
	}
	return x == y
}
