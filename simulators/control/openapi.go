package control

import (
	_ "embed"
	"encoding/json"
	"net/http"
)

// openapiDocument describes every call of the API with its parameters, bodies, answers, error codes and units.
//
//go:embed openapi.json
var openapiDocument []byte

func (a *api) openapi(*http.Request) (int, any, error) {
	return http.StatusOK, json.RawMessage(openapiDocument), nil
}
