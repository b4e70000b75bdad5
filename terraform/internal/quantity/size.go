package quantity

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

var sizeWhole = regexp.MustCompile(`^(-?\d{1,19}(?:\.\d{1,9})?) ?([A-Za-z]*)$`)

var sizeUnits = map[string]int64{
	"": 1, "b": 1,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40, "pib": 1 << 50,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "pb": 1e15,
}

// ParseSize reads "10GiB", "512 MiB", "1.5GB" or plain bytes, and gives bytes; -1 stands for unlimited.
func ParseSize(text string) (int64, error) {
	whole := sizeWhole.FindStringSubmatch(text)
	if whole == nil {
		return 0, fmt.Errorf("%q is not a size: write bytes, or a number with KiB, MiB, GiB, TiB, KB, MB, GB or TB", text)
	}
	unit, known := sizeUnits[strings.ToLower(whole[2])]
	if !known {
		return 0, fmt.Errorf("%q is no unit of size: use KiB, MiB, GiB, TiB (powers of 1024) or KB, MB, GB, TB (powers of 1000)", whole[2])
	}
	number, ok := new(big.Rat).SetString(whole[1])
	if !ok {
		return 0, fmt.Errorf("%q is not a number in the size %q", whole[1], text)
	}
	number.Mul(number, new(big.Rat).SetInt64(unit))
	if !number.IsInt() || !number.Num().IsInt64() {
		return 0, fmt.Errorf("the size %q is no whole number of bytes below 8 EiB", text)
	}
	bytes := number.Num().Int64()
	if bytes < -1 || (bytes < 0 && whole[2] != "") {
		return 0, fmt.Errorf("the size %q is negative: only -1, unlimited, may be", text)
	}
	return bytes, nil
}

// FormatSize writes bytes in the largest binary unit that divides them.
func FormatSize(bytes int64) string {
	if bytes <= 0 {
		return strconv.FormatInt(bytes, 10)
	}
	for _, unit := range []string{"TiB", "GiB", "MiB", "KiB"} {
		size := sizeUnits[strings.ToLower(unit)]
		if bytes%size == 0 {
			return strconv.FormatInt(bytes/size, 10) + unit
		}
	}
	return strconv.FormatInt(bytes, 10)
}

// SameSize tells whether two texts mean as many bytes; texts that are no sizes are compared as they are.
func SameSize(a, b string) bool {
	x, errX := ParseSize(a)
	y, errY := ParseSize(b)
	if errX != nil || errY != nil {
		return a == b
	}
	return x == y
}
