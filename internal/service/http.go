package service

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/jsonrpc"
)

// AnswerOperation answers one request that a host sent alone, and not over a connection: an operation of the catalog, as the method
// lspine/OPERATION. The host puts no questions to its user, so the fallbacks of the policy's rules decide. What goes with the call is
// in ctx; a client there becomes service/CLIENT. What is wrong with the request, or the call, is in the response.
func AnswerOperation(ctx context.Context, caller api.Caller, body []byte) (response []byte, err error) {
	t := &conversation{host: &Host{Caller: caller}}
	return jsonrpc.Answer(ctx, body, func(ctx context.Context, method string, params json.RawMessage) (any, error) {
		name, ok := strings.CutPrefix(method, operationPrefix)
		if !ok {
			return nil, t.coded(&methodError{method})
		}
		answer, err := t.operation(asService(ctx, method), name, params)
		if err != nil {
			return nil, t.coded(err)
		}
		return answer, nil
	})
}
