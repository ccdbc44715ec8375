//go:build pact

package provider_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pact-foundation/pact-go/v2/models"
	"github.com/pact-foundation/pact-go/v2/provider"
	"github.com/stretchr/testify/require"
)

const pactDir = "../pacts"

// state puts a provider into a state and returns the values that the pact's requests and answers may refer to.
type state func() (values, error)

type values map[string]any

// subject is a provider under verification.
type subject struct {
	consumer, name string // of the pact file
	states         map[string]state
	reset          func()       // before each state; may be nil
	bind           func(values) // receives what each state returned; may be nil
	// makes the pact's requests valid (credentials, time, signatures) and forwards them
	front http.Handler
}

// verify replays the pact against the subject. It fails if there is no pact, if a state of the pact has no handler
// (pact would only warn, and verify against the current state), and if no interaction asks for a state of the subject.
func verify(t *testing.T, s subject) {
	t.Helper()
	file, err := filepath.Abs(filepath.Join(pactDir, s.consumer+"-"+s.name+".json"))
	require.NoError(t, err)
	asked := statesOf(t, file)
	for name := range asked {
		require.Contains(t, s.states, name, "no handler for the state")
	}
	for name := range s.states {
		require.Contains(t, asked, name, "no interaction asks for the state")
	}
	front := httptest.NewServer(s.front)
	t.Cleanup(front.Close)

	handlers := models.StateHandlers{}
	var mu sync.Mutex
	for name, set := range s.states {
		handlers[name] = func(setup bool, _ models.ProviderState) (models.ProviderStateResponse, error) {
			if !setup {
				return nil, nil
			}
			mu.Lock()
			defer mu.Unlock()
			v, err := set()
			if err != nil {
				fmt.Fprintf(os.Stderr, "state %q: %v\n", name, err)
				return nil, err
			}
			if s.bind != nil {
				s.bind(v)
			}
			return models.ProviderStateResponse(v), nil
		}
	}
	err = provider.NewVerifier().VerifyProvider(t, provider.VerifyRequest{
		Provider: s.name, ProviderBaseURL: front.URL, PactFiles: []string{file}, FailIfNoPactsFound: true,
		StateHandlers: handlers,
		BeforeEach: func() error {
			if s.reset != nil {
				s.reset()
			}
			return nil
		},
		RequestTimeout: patience, DisableColoredOutput: true,
	})
	require.NoError(t, err)
}

// statesOf returns the names of the states in a pact file, with how often each occurs.
func statesOf(t *testing.T, file string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err, "no pact: run the consumer's tests first")
	var pact struct {
		Interactions []struct {
			Description    string
			ProviderStates []struct{ Name string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &pact))
	require.NotEmpty(t, pact.Interactions)
	names := map[string]int{}
	for _, i := range pact.Interactions {
		// Without a state, the changes of the previous one would remain.
		require.NotEmpty(t, i.ProviderStates, "%q has no state", i.Description)
		for _, s := range i.ProviderStates {
			names[s.Name]++
		}
	}
	return names
}

// resign is a front: change makes a request of the pact valid and sets its target. The answer is not changed.
func resign(client *http.Client, change func(r *http.Request, body []byte) ([]byte, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, in *http.Request) {
		fail := func(err error) {
			fmt.Fprintf(os.Stderr, "pass on %s %s: %v\n", in.Method, in.URL, err)
			http.Error(w, err.Error(), http.StatusBadGateway)
		}
		body, err := io.ReadAll(in.Body)
		if err != nil {
			fail(err)
			return
		}
		out := in.Clone(in.Context())
		out.RequestURI = ""
		for _, h := range []string{"Connection", "Accept-Encoding", "X-Forwarded-For"} {
			out.Header.Del(h)
		}
		if body, err = change(out, body); err != nil {
			fail(err)
			return
		}
		out.Body, out.ContentLength = io.NopCloser(strings.NewReader(string(body))), int64(len(body))
		resp, err := client.Do(out)
		if err != nil {
			fail(err)
			return
		}
		defer func() { _ = resp.Body.Close() }()
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			fail(err)
			return
		}
		for k, vs := range resp.Header {
			if !slices.Contains([]string{"Content-Length", "Transfer-Encoding", "Connection"}, k) {
				w.Header()[k] = vs
			}
		}
		if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain") && json.Valid(answer) {
			// Some vendors declare their JSON as text. The clients ignore the type, but the verifier does not.
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(resp.StatusCode)
		_, _ = w.Write(answer)
	})
}

// poll calls done until it reports true. hurry, which may be nil, first moves the provider's clock forward.
func poll(hurry func(), done func() (bool, error)) error {
	if hurry != nil {
		hurry()
	}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		if ok, err := done(); ok || err != nil {
			return err
		}
		time.Sleep(50 * time.Millisecond) // the provider is another process, so there is no event to wait for
	}
	return fmt.Errorf("not within %s", patience)
}
