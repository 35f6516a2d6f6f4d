package main

import (
	"encoding/json"
	"fmt"
	"sort"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// description is the content of provider.json.
type description struct {
	// URL of the counting cloud. Without one nothing is kept anywhere but in the state.
	Cloud       string            `json:"cloud"`
	Provider    *block            `json:"provider"`
	Resources   map[string]*block `json:"resources"`
	DataSources map[string]*block `json:"dataSources"`
}

type block struct {
	Attributes map[string]*attribute   `json:"attributes"`
	Blocks     map[string]*nestedBlock `json:"blocks"`
}

type attribute struct {
	// As Terraform writes types in JSON: "string", ["map","string"], ["object",{"a":"bool"}].
	Type      json.RawMessage `json:"type"`
	Required  bool            `json:"required"`
	Sensitive bool            `json:"sensitive"`
	// A change of it replaces the resource.
	Replace bool `json:"replace"`
	// A template such as "arn:aws:s3:::{bucket}"; see template.go. Only of strings at the top.
	Computed *string `json:"computed"`
	// A computed attribute that may be set, too.
	Optional bool `json:"optional"`

	parsed tftypes.Type
}

type nestedBlock struct {
	// "list" (the default), "set" or "single".
	Nesting  string `json:"nesting"`
	MinItems int64  `json:"minItems"`
	MaxItems int64  `json:"maxItems"`
	block
}

func parseDescription(content []byte) (*description, error) {
	read := &description{}
	if err := json.Unmarshal(content, read); err != nil {
		return nil, fmt.Errorf("%s: %w", descriptionFile, err)
	}
	if read.Provider == nil {
		read.Provider = &block{}
	}
	if err := read.Provider.parseTypes("provider"); err != nil {
		return nil, err
	}
	for name, resource := range read.Resources {
		if resource.Attributes["id"] == nil {
			random := "{random}"
			if resource.Attributes == nil {
				resource.Attributes = map[string]*attribute{}
			}
			resource.Attributes["id"] = &attribute{Computed: &random}
		}
		if err := resource.parseTypes(name); err != nil {
			return nil, err
		}
	}
	for name, source := range read.DataSources {
		if err := source.parseTypes(name); err != nil {
			return nil, err
		}
	}
	return read, nil
}

func (b *block) parseTypes(path string) error {
	for name, attribute := range b.Attributes {
		attribute.parsed = tftypes.String
		if len(attribute.Type) > 0 {
			parsed, err := tftypes.ParseJSONType(attribute.Type)
			if err != nil {
				return fmt.Errorf("%s: type of %s.%s: %w", descriptionFile, path, name, err)
			}
			attribute.parsed = parsed
		}
	}
	for name, nested := range b.Blocks {
		if err := nested.parseTypes(path + "." + name); err != nil {
			return err
		}
	}
	return nil
}

func (b *block) schema() *tfprotov5.Schema {
	return &tfprotov5.Schema{Block: b.schemaBlock()}
}

func (b *block) schemaBlock() *tfprotov5.SchemaBlock {
	schema := &tfprotov5.SchemaBlock{}
	for _, name := range sortedKeys(b.Attributes) {
		attribute := b.Attributes[name]
		schema.Attributes = append(schema.Attributes, &tfprotov5.SchemaAttribute{
			Name:      name,
			Type:      attribute.parsed,
			Required:  attribute.Required,
			Computed:  attribute.Computed != nil,
			Optional:  !attribute.Required && (attribute.Computed == nil || attribute.Optional),
			Sensitive: attribute.Sensitive,
		})
	}
	for _, name := range sortedKeys(b.Blocks) {
		nested := b.Blocks[name]
		schema.BlockTypes = append(schema.BlockTypes, &tfprotov5.SchemaNestedBlock{
			TypeName: name,
			Nesting:  nested.mode(),
			MinItems: nested.MinItems,
			MaxItems: nested.MaxItems,
			Block:    nested.schemaBlock(),
		})
	}
	return schema
}

func (n *nestedBlock) mode() tfprotov5.SchemaNestedBlockNestingMode {
	switch n.Nesting {
	case "single":
		return tfprotov5.SchemaNestedBlockNestingModeSingle
	case "set":
		return tfprotov5.SchemaNestedBlockNestingModeSet
	default:
		return tfprotov5.SchemaNestedBlockNestingModeList
	}
}

func sortedKeys[V any](values map[string]V) []string {
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
