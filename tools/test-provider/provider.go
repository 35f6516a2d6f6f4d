package main

import (
	"context"
	"errors"
	"net/http"
	"os"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// provider speaks the plugin protocol. Methods that Terraform does not call for what the schema has are left to the
// embedded interface, which is nil.
type provider struct {
	tfprotov5.ProviderServer
	description   *description
	cloud         *cloud
	configuration map[string]tftypes.Value
}

func (p *provider) GetMetadata(context.Context, *tfprotov5.GetMetadataRequest) (*tfprotov5.GetMetadataResponse, error) {
	return &tfprotov5.GetMetadataResponse{}, nil
}

func (p *provider) GetResourceIdentitySchemas(context.Context, *tfprotov5.GetResourceIdentitySchemasRequest) (*tfprotov5.GetResourceIdentitySchemasResponse, error) {
	return &tfprotov5.GetResourceIdentitySchemasResponse{}, nil
}

func (p *provider) GetProviderSchema(context.Context, *tfprotov5.GetProviderSchemaRequest) (*tfprotov5.GetProviderSchemaResponse, error) {
	response := &tfprotov5.GetProviderSchemaResponse{
		Provider:          p.description.Provider.schema(),
		ResourceSchemas:   map[string]*tfprotov5.Schema{},
		DataSourceSchemas: map[string]*tfprotov5.Schema{},
	}
	for name, resource := range p.description.Resources {
		response.ResourceSchemas[name] = resource.schema()
	}
	for name, source := range p.description.DataSources {
		response.DataSourceSchemas[name] = source.schema()
	}
	return response, nil
}

func (p *provider) PrepareProviderConfig(_ context.Context, request *tfprotov5.PrepareProviderConfigRequest) (*tfprotov5.PrepareProviderConfigResponse, error) {
	return &tfprotov5.PrepareProviderConfigResponse{PreparedConfig: request.Config}, nil
}

// ConfigureProvider tells the cloud what it was given, environment included: tests look at what reaches a provider.
func (p *provider) ConfigureProvider(ctx context.Context, request *tfprotov5.ConfigureProviderRequest) (*tfprotov5.ConfigureProviderResponse, error) {
	configuration, err := attributesOf(request.Config, p.description.Provider.schema())
	if err != nil {
		return nil, err
	}
	p.configuration = configuration
	attributes, err := plain(configuration)
	if err != nil {
		return nil, err
	}
	_, err = p.cloud.send(ctx, cloudRequest{Action: "configure", Attributes: attributes, Environment: os.Environ()})
	return &tfprotov5.ConfigureProviderResponse{Diagnostics: diagnose("configure the provider", err)}, nil
}

// StopProvider lets requests finish, so that what they create is saved.
func (p *provider) StopProvider(context.Context, *tfprotov5.StopProviderRequest) (*tfprotov5.StopProviderResponse, error) {
	return &tfprotov5.StopProviderResponse{}, nil
}

func (p *provider) ValidateResourceTypeConfig(context.Context, *tfprotov5.ValidateResourceTypeConfigRequest) (*tfprotov5.ValidateResourceTypeConfigResponse, error) {
	return &tfprotov5.ValidateResourceTypeConfigResponse{}, nil
}

func (p *provider) ValidateDataSourceConfig(context.Context, *tfprotov5.ValidateDataSourceConfigRequest) (*tfprotov5.ValidateDataSourceConfigResponse, error) {
	return &tfprotov5.ValidateDataSourceConfigResponse{}, nil
}

func (p *provider) ReadDataSource(_ context.Context, request *tfprotov5.ReadDataSourceRequest) (*tfprotov5.ReadDataSourceResponse, error) {
	source := p.description.DataSources[request.TypeName]
	schema := source.schema()
	attributes, err := attributesOf(request.Config, schema)
	if err != nil {
		return nil, err
	}
	p.compute(source, attributes)
	state, err := dynamic(attributes, schema)
	return &tfprotov5.ReadDataSourceResponse{State: state}, err
}

func (p *provider) UpgradeResourceState(_ context.Context, request *tfprotov5.UpgradeResourceStateRequest) (*tfprotov5.UpgradeResourceStateResponse, error) {
	attributeType := p.description.Resources[request.TypeName].schema().ValueType()
	value, err := request.RawState.Unmarshal(attributeType)
	if err != nil {
		return nil, err
	}
	state, err := tfprotov5.NewDynamicValue(attributeType, value)
	return &tfprotov5.UpgradeResourceStateResponse{UpgradedState: &state}, err
}

func (p *provider) ReadResource(ctx context.Context, request *tfprotov5.ReadResourceRequest) (*tfprotov5.ReadResourceResponse, error) {
	schema := p.description.Resources[request.TypeName].schema()
	current, err := attributesOf(request.CurrentState, schema)
	if err != nil {
		return nil, err
	}
	content, err := p.cloud.send(ctx, cloudRequest{Action: "read", Type: request.TypeName, ID: textOf(current["id"])})
	var refusal *cloudError
	if errors.As(err, &refusal) && refusal.status == http.StatusNotFound {
		gone, err := dynamic(nil, schema)
		return &tfprotov5.ReadResourceResponse{NewState: gone}, err
	}
	if err != nil || content == nil {
		return &tfprotov5.ReadResourceResponse{NewState: request.CurrentState, Diagnostics: diagnose("read", err)}, nil
	}
	found, err := fromPlain(content, schema)
	if err != nil {
		return nil, err
	}
	state, err := dynamic(found, schema)
	return &tfprotov5.ReadResourceResponse{NewState: state}, err
}

func (p *provider) PlanResourceChange(_ context.Context, request *tfprotov5.PlanResourceChangeRequest) (*tfprotov5.PlanResourceChangeResponse, error) {
	resource := p.description.Resources[request.TypeName]
	schema := resource.schema()
	prior, err := attributesOf(request.PriorState, schema)
	if err != nil {
		return nil, err
	}
	proposed, err := attributesOf(request.ProposedNewState, schema)
	if err != nil || proposed == nil {
		return &tfprotov5.PlanResourceChangeResponse{PlannedState: request.ProposedNewState}, err
	}
	response := &tfprotov5.PlanResourceChangeResponse{}
	for name, attribute := range resource.Attributes {
		if attribute.Computed != nil && proposed[name].IsNull() {
			proposed[name] = tftypes.NewValue(attribute.parsed, tftypes.UnknownValue)
		}
		if attribute.Replace && prior != nil && !prior[name].Equal(proposed[name]) {
			response.RequiresReplace = append(response.RequiresReplace, tftypes.NewAttributePath().WithAttributeName(name))
		}
	}
	response.PlannedState, err = dynamic(proposed, schema)
	return response, err
}

func (p *provider) ApplyResourceChange(ctx context.Context, request *tfprotov5.ApplyResourceChangeRequest) (*tfprotov5.ApplyResourceChangeResponse, error) {
	resource := p.description.Resources[request.TypeName]
	schema := resource.schema()
	prior, err := attributesOf(request.PriorState, schema)
	if err != nil {
		return nil, err
	}
	planned, err := attributesOf(request.PlannedState, schema)
	if err != nil {
		return nil, err
	}
	if planned == nil {
		return p.delete(ctx, request, textOf(prior["id"]))
	}
	p.compute(resource, planned)
	action := "create"
	if prior != nil {
		action = "update"
	}
	attributes, err := plain(planned)
	if err != nil {
		return nil, err
	}
	given, refused := p.cloud.send(ctx, cloudRequest{Action: action, Type: request.TypeName, ID: textOf(planned["id"]), Attributes: attributes})
	if refused == nil && len(given) > 0 {
		// The cloud has chosen some of them itself.
		planned, err = fromPlain(given, schema)
		if err != nil {
			return nil, err
		}
	}
	response := &tfprotov5.ApplyResourceChangeResponse{Diagnostics: diagnose(action, refused)}
	response.NewState = request.PriorState
	// Whether a request that failed in the cloud created something is unknown: with a state, Terraform can remove it.
	if refused == nil || (prior == nil && !isRefusal(refused)) {
		response.NewState, err = dynamic(planned, schema)
	}
	return response, err
}

func (p *provider) delete(ctx context.Context, request *tfprotov5.ApplyResourceChangeRequest, id string) (*tfprotov5.ApplyResourceChangeResponse, error) {
	_, err := p.cloud.send(ctx, cloudRequest{Action: "delete", Type: request.TypeName, ID: id})
	var refusal *cloudError
	if errors.As(err, &refusal) && refusal.status == http.StatusNotFound {
		err = nil
	}
	if err != nil {
		return &tfprotov5.ApplyResourceChangeResponse{NewState: request.PriorState, Diagnostics: diagnose("delete", err)}, nil
	}
	return &tfprotov5.ApplyResourceChangeResponse{NewState: request.PlannedState}, nil
}

// compute fills attributes that nobody has set; the id is the last one, as it may be made of others.
func (p *provider) compute(resource *block, attributes map[string]tftypes.Value) {
	names := sortedKeys(resource.Attributes)
	for _, pass := range []bool{false, true} {
		for _, name := range names {
			attribute := resource.Attributes[name]
			isOpen := attributes[name].IsNull() || !attributes[name].IsKnown()
			if (name == "id") == pass && attribute.Computed != nil && isOpen {
				attributes[name] = tftypes.NewValue(attribute.parsed, nil) // the cloud gives it
				if attribute.parsed.Is(tftypes.String) {
					text := render(*attribute.Computed, attributes, p.configuration)
					attributes[name] = tftypes.NewValue(tftypes.String, text)
				}
			}
		}
	}
}

func isRefusal(err error) bool {
	var refusal *cloudError
	return errors.As(err, &refusal) && refusal.status < http.StatusInternalServerError
}

func diagnose(action string, err error) []*tfprotov5.Diagnostic {
	if err == nil {
		return nil
	}
	return []*tfprotov5.Diagnostic{{
		Severity: tfprotov5.DiagnosticSeverityError,
		Summary:  "Could not " + action,
		Detail:   err.Error(),
	}}
}
