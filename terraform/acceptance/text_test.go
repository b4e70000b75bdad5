package acceptance

import "regexp"

func containsLine(configuration, attribute string) bool {
	return regexp.MustCompile(`(?m)^\s*` + attribute + `\s*=`).MatchString(configuration)
}
