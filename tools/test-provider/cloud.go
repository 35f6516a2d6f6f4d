package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

// cloud is the counting cloud of the test. It answers every request with JSON.
type cloud struct {
	url string
}

type cloudRequest struct {
	Action string `json:"action"`
	Type   string `json:"type,omitempty"`
	ID     string `json:"id,omitempty"`
	// Of the resource, or of the provider's configuration.
	Attributes map[string]any `json:"attributes,omitempty"`
	// Only with the action configure.
	Environment []string `json:"environment,omitempty"`
	ProviderPid int      `json:"providerPid"`
	// The process that started this one.
	TerraformPid int `json:"terraformPid"`
}

type cloudReply struct {
	Attributes json.RawMessage `json:"attributes"`
	Message    string          `json:"message"`
	// The provider is to panic, with what it was about to send.
	Crash bool `json:"crash"`
}

// cloudError is what the cloud said no with.
type cloudError struct {
	status  int
	message string
}

func (e *cloudError) Error() string { return e.message }

func (c *cloud) send(ctx context.Context, request cloudRequest) (json.RawMessage, error) {
	if c.url == "" {
		return nil, nil
	}
	request.ProviderPid, request.TerraformPid = os.Getpid(), os.Getppid()
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	post.Header.Set("content-type", "application/json")
	response, err := direct.Do(post)
	if err != nil {
		return nil, fmt.Errorf("the cloud does not answer: %w", err)
	}
	defer response.Body.Close()
	var reply cloudReply
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		return nil, fmt.Errorf("the cloud's answer is cut off: %w", err)
	}
	if reply.Crash {
		panic(fmt.Sprintf("crash in %s of %s: %v", request.Action, request.Type, request.Attributes))
	}
	if response.StatusCode >= 300 {
		return nil, &cloudError{response.StatusCode, reply.Message}
	}
	return reply.Attributes, nil
}

// The cloud is on this machine, whatever proxies a run has.
var direct = &http.Client{Transport: &http.Transport{Proxy: nil}}
