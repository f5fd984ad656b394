package gate

import (
	"net/http"
	"strconv"
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
}

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
	}
	m.registry.MustRegister(m.requests, m.took, m.streams, m.calls, collectors.NewGoCollector())
	return m
}

// Sessions has sessions asked how many sessions exist, whenever somebody looks. It is called once.
func (m *Metrics) Sessions(sessions func() int) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lspine_mcp_sessions", Help: "Sessions of MCP that exist."}, func() float64 { return float64(sessions()) }))
}

// Call counts a call of an operation.
func (m *Metrics) Call(operation, outcome string) {
	if m != nil {
		m.calls.WithLabelValues(operation, outcome).Inc()
	}
}

// handler serves the metrics as text.
func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{DisableCompression: true})
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
