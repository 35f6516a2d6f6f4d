// test-provider is a Terraform provider for tests. It takes its schema from `provider.json` beside the executable, so one
// program stands under any address (hashicorp/aws, hashicorp/azurerm, …), and keeps its resources in the counting cloud of
// the test, whose URL is in the same file.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
)

const descriptionFile = "provider.json"

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	description, err := readDescription()
	if err != nil {
		return err
	}
	provider := &provider{description: description, cloud: &cloud{url: description.Cloud}}
	return tf5server.Serve("registry.terraform.io/test/test", func() tfprotov5.ProviderServer { return provider })
}

// A cache may start the program through a link, so the folder of the link is looked at as well.
func readDescription() (*description, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for _, file := range []string{executable, os.Args[0]} {
		content, err := os.ReadFile(filepath.Join(filepath.Dir(file), descriptionFile))
		if err == nil {
			return parseDescription(content)
		}
	}
	return nil, fmt.Errorf("there is no %s beside %s", descriptionFile, executable)
}
