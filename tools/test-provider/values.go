package main

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// attributesOf gives the attributes of a resource, or nil if there is none.
func attributesOf(value *tfprotov5.DynamicValue, schema *tfprotov5.Schema) (map[string]tftypes.Value, error) {
	if value == nil {
		return nil, nil
	}
	whole, err := value.Unmarshal(schema.ValueType())
	if err != nil || whole.IsNull() {
		return nil, err
	}
	attributes := map[string]tftypes.Value{}
	return attributes, whole.As(&attributes)
}

func dynamic(attributes map[string]tftypes.Value, schema *tfprotov5.Schema) (*tfprotov5.DynamicValue, error) {
	var content any
	if attributes != nil {
		content = attributes
	}
	value, err := tfprotov5.NewDynamicValue(schema.ValueType(), tftypes.NewValue(schema.ValueType(), content))
	return &value, err
}

// plain turns attributes into what JSON can carry; fromPlain reads it back by the schema's types.
func plain(attributes map[string]tftypes.Value) (map[string]any, error) {
	result := map[string]any{}
	for name, value := range attributes {
		content, err := plainValue(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		result[name] = content
	}
	return result, nil
}

func fromPlain(content json.RawMessage, schema *tfprotov5.Schema) (map[string]tftypes.Value, error) {
	return attributesOf(&tfprotov5.DynamicValue{JSON: content}, schema)
}

func plainValue(value tftypes.Value) (any, error) {
	if value.IsNull() || !value.IsKnown() {
		return nil, nil
	}
	switch {
	case value.Type().Is(tftypes.String):
		var text string
		err := value.As(&text)
		return text, err
	case value.Type().Is(tftypes.Bool):
		var flag bool
		err := value.As(&flag)
		return flag, err
	case value.Type().Is(tftypes.Number):
		number := new(big.Float)
		err := value.As(&number)
		return json.Number(number.Text('f', -1)), err
	}
	fields := map[string]tftypes.Value{}
	if value.Type().Is(tftypes.Object{}) || value.Type().Is(tftypes.Map{}) {
		if err := value.As(&fields); err != nil {
			return nil, err
		}
		return plain(fields)
	}
	items := []tftypes.Value{}
	if err := value.As(&items); err != nil {
		return nil, err
	}
	result := make([]any, 0, len(items))
	for _, item := range items {
		content, err := plainValue(item)
		if err != nil {
			return nil, err
		}
		result = append(result, content)
	}
	return result, nil
}
