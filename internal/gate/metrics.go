package gate

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics count what happens, for Prometheus. They say nothing of texts, files or tokens. They are safe
// for concurrent use; nil counts nothing.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	streams  prometheus.Gauge
	calls    *prometheus.CounterVec
	servers  *prometheus.GaugeVec
	// states is called whenever somebody looks; nil means that nobody knows of servers.
	states func(context.Context) map[State]int
	// looking is held while somebody looks.
	looking sync.Mutex
}

// A State is that of a server.
type State struct{ Server, State string }

// statesTimeout limits how long the states of servers are awaited.
const statesTimeout = 2 * time.Second

// NewMetrics returns metrics.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "lspine_http_requests_total", Help: "Requests that were answered, by path, method and status.",
		}, []string{"path", "method", "status"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "lspine_http_request_duration_seconds", Help: "How long answers took, without streams, by path.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"path"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{Name: "lspine_http_streams", Help: "Streams that are open."}),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "lspine_calls_total", Help: "Calls of operations, by operation and outcome: ok, or the kind of the failure.",
		}, []string{"operation", "outcome"}),
		servers: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "lspine_servers", Help: "Language servers that run or have failed, by server and state."}, []string{"server", "state"}),
	}
	m.registry.MustRegister(m.requests, m.took, m.streams, m.calls, m.servers, collectors.NewGoCollector())
	return m
}

// Sessions has sessions asked how many sessions exist, whenever somebody looks. It is called once.
func (m *Metrics) Sessions(sessions func() int) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lspine_mcp_sessions", Help: "Sessions of MCP that exist."}, func() float64 { return float64(sessions()) }))
}

// Servers has states asked how many servers there are in each state, whenever somebody looks. It is called once, before
// anything is served.
func (m *Metrics) Servers(states func(context.Context) map[State]int) { m.states = states }

// Call counts a call of an operation.
func (m *Metrics) Call(operation, outcome string) {
	if m != nil {
		m.calls.WithLabelValues(operation, outcome).Inc()
	}
}

// handler serves the metrics as text.
func (m *Metrics) handler() http.Handler {
	text := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{DisableCompression: true})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.looking.Lock()
		defer m.looking.Unlock()
		if m.states != nil {
			ctx, cancel := context.WithTimeout(r.Context(), statesTimeout)
			defer cancel()
			m.servers.Reset()
			for of, n := range m.states(ctx) {
				m.servers.WithLabelValues(of.Server, of.State).Set(float64(n))
			}
		}
		text.ServeHTTP(w, r)
	})
}

// begin counts a request, until done is called with its answer.
func (m *Metrics) begin(r *http.Request, route string, stream bool) (done func(a *answer)) {
	if m == nil {
		return func(*answer) {}
	}
	method := r.Method
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete, http.MethodOptions:
	default:
		method = "other" // whoever asks can invent methods
	}
	begun := time.Now()
	if stream {
		m.streams.Inc()
	}
	return func(a *answer) {
		if stream {
			m.streams.Dec()
		} else {
			m.took.WithLabelValues(route).Observe(time.Since(begun).Seconds())
		}
		status := a.status
		if status == 0 {
			status = http.StatusOK // the handler wrote nothing
		}
		m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	}
}
