package main

import (
	"crypto/rand"
	"encoding/hex"
	"regexp"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var placeholder = regexp.MustCompile(`\{([a-z0-9_.]+)\}`)

// render fills the placeholders of a computed attribute: `{name}` is another attribute of the resource, `{provider.region}`
// one of the provider's configuration, `{random}` sixteen new hexadecimal digits. What has no value is empty.
func render(template string, attributes, configuration map[string]tftypes.Value) string {
	return placeholder.ReplaceAllStringFunc(template, func(match string) string {
		name := match[1 : len(match)-1]
		if name == "random" {
			return randomText()
		}
		const prefix = "provider."
		if len(name) > len(prefix) && name[:len(prefix)] == prefix {
			return textOf(configuration[name[len(prefix):]])
		}
		return textOf(attributes[name])
	})
}

func textOf(value tftypes.Value) string {
	var text string
	if value.Type() == nil || !value.IsKnown() || value.IsNull() || !value.Type().Is(tftypes.String) {
		return ""
	}
	if err := value.As(&text); err != nil {
		return ""
	}
	return text
}

func randomText() string {
	bytes := make([]byte, 8)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return hex.EncodeToString(bytes)
}
